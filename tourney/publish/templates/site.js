// Finds a name, remembers the reader on this device only, and runs the clock. Every page works without this script.
(() => {
  "use strict";
  const folded = {{ folded|tojson }};
  const page = document.documentElement;
  const store = `tourney:${page.dataset.event}`;
  const fold = (text) =>
    text.normalize("NFKD").toLowerCase()
      .replace(/[\p{Mn}\p{Cf}]/gu, (sign) => (sign === "\u3099" || sign === "\u309a" ? sign : ""))
      .normalize("NFC").replace(/[^\x00-\x7f]/gu, (letter) => folded[letter] ?? letter);
  // An apostrophe or a dot inside a word does not split it; any other sign splits two words.
  const words = (text) =>
    fold(text).replace(/['.‘’‚‛′`´ʹʻʼʽˈ‹›"“”„‟″]/g, "").split(/[^\p{L}\p{N}\p{M}]+/u).filter(Boolean);
  const key = (text) => [...words(text), ...fold(text).split(/[^\p{L}\p{N}\p{M}]+/u)].join(" ");
  const matches = (key, wanted) =>
    wanted.every((word) => ` ${key}`.includes(` ${word}`) || (/[^\x00-\x7f]/.test(word) && key.includes(word)));

  const told = ({ dataset }, number) =>
    (number ? (number === 1 ? dataset.one : dataset.many).replace("#", number) : dataset.nobody);

  const remembered = () => { try { return localStorage.getItem(store); } catch { return null; } };
  const remember = (id) => {
    try { if (id) localStorage.setItem(store, id); else localStorage.removeItem(store); } catch { /* a private window */ }
  };

  // Runs each time a page is shown, as a server updates the page in place.
  function begin() {
    for (const input of document.querySelectorAll("input[data-find]")) {
      const box = input.closest(".find");
      const said = box.querySelector("[role=status]");
      const items = Array.from(document.querySelectorAll(input.dataset.find), (item) =>
        [item, Array.from(item.querySelectorAll("bdi"), (name) => key(name.textContent))]);
      box.hidden = false;
      input.addEventListener("input", () => {
        const wanted = words(input.value);
        const shown = new Set(); // a name that is in two tables is shown once
        for (const [item, names] of items) {
          const hits = names.filter((name) => matches(name, wanted));
          item.hidden = !hits.length;
          for (const name of hits) shown.add(name);
        }
        said.textContent = wanted.length ? told(said, shown.size) : "";
      });
    }

    const me = document.getElementById("me");
    const who = document.getElementById("who");
    if (me && who) {
      const input = who.querySelector("input");
      const said = who.querySelector("[role=status]");
      const found = who.querySelector("ul");
      const hint = said.textContent;
      const people = Array.from(document.querySelectorAll(input.dataset.who));
      const show = (id) => {
        const line = people.find((each) => each.dataset.id === id);
        who.hidden = Boolean(line);
        me.hidden = !line;
        me.querySelector(".is")?.remove();
        if (!line) return;
        me.querySelector(".next").hidden = line.dataset.out !== undefined;
        const is = document.createElement("div");
        is.className = "is";
        is.append(...Array.from(line.childNodes, (node) => node.cloneNode(true)));
        const clock = document.querySelector(".status .clock");
        if (clock && line.querySelector(".at") && line.dataset.open !== undefined) {
          const own = clock.cloneNode(true);
          own.dataset.extra = line.dataset.extra ?? 0;
          is.append(own);
        }
        me.prepend(is);
        tick();
      };
      const choose = (id) => { remember(id); show(id); mark(); };
      input.addEventListener("input", () => {
        const wanted = words(input.value);
        const hits = wanted.length ? people.filter((each) => matches(each.dataset.key, wanted)) : [];
        found.hidden = !hits.length;
        found.replaceChildren(...hits.slice(0, 8).map((each) => {
          const line = document.createElement("li");
          const button = document.createElement("button");
          button.type = "button";
          button.append(each.querySelector("bdi").cloneNode(true));
          button.addEventListener("click", () => { input.value = ""; found.replaceChildren(); choose(each.dataset.id); me.querySelector("a").focus(); });
          line.append(button);
          return line;
        }));
        said.textContent = wanted.length ? told(said, hits.length) : hint;
      });
      input.addEventListener("keydown", (key) => { if (key.key === "Enter") found.querySelector("button")?.click(); });
      me.querySelector("button").addEventListener("click", () => { choose(null); input.focus(); });
      queueMicrotask(() => show(remembered()));
    }

    const mine = document.getElementById("this-is-me");
    if (mine) {
      const { id } = mine.closest("[data-id]").dataset;
      mine.hidden = remembered() === id;
      mine.addEventListener("click", () => { remember(id); mine.hidden = true; mark(); });
    }

    for (const button of document.querySelectorAll("[data-copy]")) {
      const text = document.getElementById(button.dataset.copy);
      button.hidden = false;
      button.addEventListener("click", async () => {
        try {
          await navigator.clipboard.writeText(text.textContent);
          button.textContent = button.dataset.done;
        } catch { // a page from a disk has no clipboard: show the text, selected, to copy by hand
          text.closest("details").open = true;
          getSelection().selectAllChildren(text);
        }
      });
    }

    // Only the browser knows the widths of letters: small text on the projector that fits gets the usual size.
    for (const small of document.querySelectorAll(".screen .leaf .who:is(.long, .longer), .screen .leaf .who:first-child ~ .at + .words")) {
      const marks = ["long", "longer", "words"].filter((each) => small.classList.contains(each));
      small.classList.remove(...marks);
      if (small.scrollWidth > small.clientWidth) small.classList.add(...marks);
    }

    mark();
    tick();
  }

  function mark() {
    for (const old of document.querySelectorAll(".mine")) old.classList.remove("mine");
    const id = remembered();
    if (!id) return;
    for (const link of document.querySelectorAll(`a[href$="player/${CSS.escape(id)}.html"]`)) {
      link.closest("tr, .table, #by-name li, .seat")?.classList.add("mine");
    }
  }

  function tick() {
    for (const clock of document.querySelectorAll(".clock")) {
      const end = new Date(clock.dateTime).getTime() + 60000 * (clock.dataset.extra ?? 0);
      const seconds = Math.floor((end - Date.now()) / 1000);
      if (Number.isNaN(seconds)) continue;
      const two = (number) => String(number).padStart(2, "0");
      clock.textContent = seconds > 0
        ? `${Math.floor(seconds / 60)}:${two(seconds % 60)} ${clock.dataset.left}` : clock.dataset.over;
    }
  }

  // The menu of rounds closes when another part of the page is used.
  const menu = () => document.querySelector("nav details");
  document.addEventListener("click", (click) => { if (menu() && !menu().contains(click.target)) menu().open = false; });
  document.addEventListener("keydown", (key) => {
    if (key.key !== "Escape" || !menu()?.open) return;
    menu().open = false;
    menu().firstElementChild.focus();
  });

  // The projector fetches its page again and replaces it, so that it keeps the page while the network is away. From a
  // disk, where nothing can be fetched, it reloads. On a server it listens for news instead.
  if (page.dataset.again && !document.querySelector("script[data-stream]")) {
    let shown = null;
    setInterval(async () => {
      if (location.protocol === "file:") { location.reload(); return; }
      try {
        const answer = await fetch(location.href, { cache: "no-cache" });
        const text = answer.ok ? await answer.text() : null;
        if (text !== null && shown !== null && text !== shown) {
          const next = new DOMParser().parseFromString(text, "text/html");
          for (const part of ["header", "main", "footer"]) document.querySelector(part).replaceWith(document.adoptNode(next.querySelector(part)));
          document.title = next.title;
          document.body.style.cssText = next.body.style.cssText;
          begin();
        }
        shown = text ?? shown;
      } catch { /* out of reach for a while: what is shown stays */ }
    }, 1000 * (location.protocol === "file:" ? page.dataset.again : 5));
  }

  begin();
  document.addEventListener("tourney:page", begin);
  setInterval(tick, 1000);
})();
