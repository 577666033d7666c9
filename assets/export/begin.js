// Unpacks a saved page, behind the functions of assets/lib/packed.js, and starts it. All its scripts get
// addresses of their own, by an import map. What the first picture does not need stands behind this script.

// biome-ignore-all lint/correctness/noUndeclaredVariables: unpack stands before this in the page
(async () => {
  const files = new Map();
  const add = async (id) => {
    const base64 = document.getElementById(id).textContent;
    const packed = await fetch(`data:application/octet-stream;base64,${base64}`); // faster than atob
    const { sizes, body } = await unpack(await packed.arrayBuffer());
    let end = 0;
    for (const [name, size] of Object.entries(sizes)) files.set(name, body.slice(end, (end += size)));
  };
  const later = new Promise((resolve) => addEventListener("DOMContentLoaded", resolve)).then(() => add("later"));
  await add("first");
  const text = (name) => new TextDecoder().decode(files.get(name));
  const page = JSON.parse(text("page"));
  // The settings of the link that was saved are in the address, as in the app.
  const query = String(new URLSearchParams(page.query));
  if (query && !location.search) history.replaceState(null, "", `?${query}`);
  window.saved = { page, file: async (name) => files.get(name) ?? later.then(() => files.get(name)) };
  const imports = {};
  for (const name of files.keys()) {
    if (!name.endsWith(".js")) continue;
    imports[`smm/${name}`] = URL.createObjectURL(new Blob([text(name)], { type: "text/javascript" }));
  }
  document.head.append(Object.assign(document.createElement("script"), { type: "importmap", textContent: JSON.stringify({ imports }) }));
  await import("smm/head/head.js");
  await import("smm/export/host.js");
})();
