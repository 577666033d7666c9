// What the server sends packed.

export const bytesOf = (base64) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

// A file of `assets/grids`: the length of a JSON header in four bytes, little endian, the header, and a zlib
// stream. Returns the header with the unpacked stream as its `body`.
export async function unpack(buffer) {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length)));
  const packed = new Blob([new Uint8Array(buffer, 4 + length)]);
  const unpacked = packed.stream().pipeThrough(new DecompressionStream("deflate"));
  return { ...header, body: await new Response(unpacked).arrayBuffer() };
}
