// A picture of the reader's own, from a file or a camera. It is made small here: the file itself never
// leaves the browser.

// A button that asks for a picture.
export const photoPill = (text) => `<label class="pill">${text}<input type="file" accept="image/*"></label>`;

// Call `take` with the greys of each picture that is chosen, and its name; of two that are opened at once,
// with the later one. A file that is no picture gets a sentence.
export function watchPhoto(root, [width, height], take, complain) {
  let last = null;
  root.querySelector("[type=file]").onchange = async ({ target }) => {
    const file = (last = target.files[0]);
    target.value = ""; // the same file may be chosen again
    if (!file) return;
    try {
      const image = await createImageBitmap(file);
      if (file === last) take(greysOf(image, width, height), file.name);
    } catch {
      if (file === last) complain(`This browser cannot open ${file.name} as a picture.`);
    }
  };
}

// The middle square of an image in width x height greys of 0 ... 255, row by row.
function greysOf(image, width, height) {
  const side = Math.min(image.width, image.height);
  const context = new OffscreenCanvas(width, height).getContext("2d");
  const [x, y] = [(image.width - side) / 2, (image.height - side) / 2];
  context.imageSmoothingQuality = "high";
  context.drawImage(image, x, y, side, side, 0, 0, width, height);
  const { data } = context.getImageData(0, 0, width, height);
  const greyAt = (i) => Math.round(0.299 * data[i] + 0.587 * data[i + 1] + 0.114 * data[i + 2]);
  return Array.from({ length: width * height }, (_, i) => greyAt(4 * i));
}
