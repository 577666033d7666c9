// What a reader takes along: a text or a picture on the clipboard, or a file.

// Without HTTPS a browser has no clipboard; a text that is selected can be copied all the same.
export async function copyText(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = Object.assign(document.createElement("textarea"), { value: text });
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  if (!copied) throw new Error("not copied");
}

// `blob` may be a promise: Safari wants the clipboard to be asked in the click itself.
export const copyPicture = async (blob) => navigator.clipboard.write([new ClipboardItem({ "image/png": blob })]);

export function saveBlob(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
