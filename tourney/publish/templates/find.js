// Filters a list by a player's name; without this script the whole list is simply there.
for (const input of document.querySelectorAll("input[data-find]")) {
  const box = input.closest(".find");
  const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  box.hidden = false;
  input.addEventListener("input", () => {
    const wanted = fold(input.value.trim());
    let shown = 0;
    for (const item of document.querySelectorAll(input.dataset.find)) {
      const names = Array.from(item.querySelectorAll("bdi"), (name) => fold(name.textContent));
      item.hidden = !names.some((name) => name.includes(wanted));
      shown += item.hidden ? 0 : 1;
    }
    box.querySelector(".none").hidden = shown > 0;
  });
}
