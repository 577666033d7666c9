// The answers of the server: a header, then records of metrics and of images.

const TYPES = {
  ...{ "<u4": Uint32Array, "<i4": Int32Array, "<f4": Float32Array, "<f8": Float64Array },
  ...{ u1: Uint8Array, "|u1": Uint8Array, i1: Int8Array, "|i1": Int8Array },
};

// An answer describes its own records: a header in JSON, then metrics, then images.
export function decode(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const records = (start, count, layout) =>
    Array.from({ length: count }, (_, i) => ({ buffer, layout, at: start + i * layout.itemsize }));
  const middle = 4 + length + header.count * header.layout.metrics.itemsize;
  const end = middle + header.images * header.layout.images.itemsize;
  if (end !== buffer.byteLength) throw new Error(`${buffer.byteLength} bytes, announced ${end}`);
  const metrics = records(4 + length, header.count, header.layout.metrics);
  return { header, metrics, images: records(middle, header.images, header.layout.images) };
}

// The values of a field, of a scalar one too. Fields may lie unaligned, hence the copy.
export function read({ buffer, layout, at }, name) {
  const [dtype, shape, offset] = layout.fields[name];
  const Type = TYPES[dtype];
  const bytes = shape.reduce((product, side) => product * side, Type.BYTES_PER_ELEMENT);
  return new Type(buffer.slice(at + offset, at + offset + bytes));
}
