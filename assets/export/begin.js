// Unpacks a saved page, and starts it. All its scripts get addresses of their own, by an import map.

(async () => {
  const files = new Map();

  async function unpack(text) {
    const packed = await fetch(`data:application/octet-stream;base64,${text}`); // faster than atob
    const body = await new Response(packed.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
    const length = new DataView(body).getUint32(0, true);
    const sizes = JSON.parse(new TextDecoder().decode(new Uint8Array(body, 4, length)));
    let begin = 4 + length;
    for (const [name, size] of Object.entries(sizes)) files.set(name, body.slice(begin, (begin += size)));
  }

  await unpack(document.querySelector("#packed").textContent);
  const text = (name) => new TextDecoder().decode(files.get(name));
  const page = JSON.parse(text("page"));
  // The settings of the link that was saved are in the address, as in the app.
  const query = String(new URLSearchParams(page.query));
  if (query && !location.search) history.replaceState(null, "", `?${query}`);
  window.saved = { page, file: (name) => files.get(name) };
  const imports = {};
  for (const name of files.keys()) {
    if (!name.endsWith(".js")) continue;
    imports[`smm/${name}`] = URL.createObjectURL(new Blob([text(name)], { type: "text/javascript" }));
  }
  document.head.append(Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports }) }));
  await import("smm/head/head.js");
  await import("smm/export/host.js");
})();
