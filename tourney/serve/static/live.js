// Listens for news, updates the page, and says when the server cannot be reached. Every page works without this script.
(() => {
  "use strict";
  let own = document.currentScript;
  const words = { ...own.dataset };
  let about = "", seen = "";
  const take = (address) => {
    const asked = new URL(address || "/", location.href).searchParams;
    about = asked.get("about") ?? ""; seen = asked.get("seen") ?? "";
  };
  take(own.dataset.stream);

  let source = null, timer = null, asking = false, missed = false, keeping = false, answers = 0, due = Infinity, lost = 0;
  const screen = document.documentElement.classList.contains("screen");

  // -- messages beside the page: offline, or news while the visitor types

  const line = document.createElement("p");
  line.className = "live"; line.hidden = true;
  line.setAttribute("role", "status");
  document.body.prepend(line);
  let shownAt = new Date();
  const say = (text, button) => {
    line.replaceChildren(text);
    if (button) line.append(" ", button);
    line.hidden = !text;
  };
  const offline = () => {
    const time = shownAt.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
    say(words.offline.replace("#", time));
    document.documentElement.classList.add("offline");
  };
  const online = () => {
    lost = 0;
    if (!document.documentElement.classList.contains("offline")) return;
    document.documentElement.classList.remove("offline");
    say("");
  };

  // -- updating the page

  // Replacing the page between finger down and finger up would lose the tap. No tap lasts two seconds.
  let down = -Infinity;
  document.addEventListener("pointerdown", () => { down = performance.now(); });
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, () => setTimeout(() => { down = -Infinity; }, 50));
  const lifted = async () => { while (performance.now() - down < 2000) await new Promise((later) => { setTimeout(later, 50); }); };

  const typed = () => document.querySelector("main .refusal[role=alert]") || Array.from(document.querySelectorAll("main :is(input, textarea, select)")).some((field) =>
    field.type === "checkbox" || field.type === "radio" ? field.checked !== field.defaultChecked
      : field.tagName === "SELECT" ? field.dataset.touched : field.type !== "hidden" && field.value !== field.defaultValue);
  document.addEventListener("change", (change) => { if (change.target.dataset) change.target.dataset.touched = "1"; });

  const ask = async (whatever) => {
    if (asking || keeping) { missed = true; return; } // the running request may be older than the news, or answer a form
    if (!whatever && typed()) {
      const button = document.createElement("button");
      button.type = "button"; button.textContent = words.showNews;
      button.addEventListener("click", () => ask(true));
      say(words.news, button);
      return;
    }
    let missing = 0; // seconds within which a failed request is repeated
    const shown = answers;
    asking = true; clearTimeout(timer); due = Infinity;
    try {
      const answer = await fetch(location.href, { cache: "no-store", headers: { accept: "text/html" } });
      if (answer.redirected) { location.assign(answer.url); return; }
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      online();
      await lifted();
      if (keeping || shown !== answers) { missed = true; return; }
      say("");
      if (!whatever && typed()) { asking = false; ask(false); return; }
      if (answer.status < 500) took(page); else missing = 3;
    } catch { reached(false); missing = 3; } finally {
      asking = false;
      if (missed || missing) { soon(missed ? 0.5 : missing); missed = false; }
    }
  };

  const took = (page) => {
    const next = page.querySelector("script[data-stream]");
    if (!next) return;
    shownAt = new Date();
    if (next.dataset.stream) take(next.dataset.stream);
    show(page);
    if (!polling) listen();
  };

  const show = (page) => {
    const said = document.getElementById("told"); // the receipt stays for staff to read
    const focused = document.activeElement?.id, open = Array.from(document.querySelectorAll("main details[open][id]"), (each) => each.id);
    document.title = page.title;
    // A projector has no one to reload it. The page is never left, so that the browser never shows its own error page.
    for (const part of screen ? ["header", "main", "footer"] : ["header", "main"]) document.querySelector(part)?.replaceWith(document.adoptNode(page.querySelector(part)));
    if (screen) document.body.style.cssText = page.body.style.cssText;
    if (said && document.querySelector("nav.tabs") && !document.getElementById("told")) document.querySelector("main").prepend(said);
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
    document.dispatchEvent(new Event("tourney:page"));
  };

  // Each phone picks a moment, so that not all load at once.
  const soon = (within) => {
    const at = performance.now() + 1000 * within * Math.random();
    if (at >= due || !about) return;
    due = at; clearTimeout(timer);
    timer = setTimeout(() => { due = Infinity; ask(false); }, at - performance.now());
  };
  const version = (now) => { if (String(now) !== seen) soon(0.5); };

  // -- news

  const listen = () => {
    if (!about || source || document.visibilityState === "hidden") return;
    source = new EventSource(`/events?about=${encodeURIComponent(about)}`);
    source.addEventListener("head", (event) => { online(); version(JSON.parse(event.data).version); });
    source.addEventListener("news", (event) => { soon(JSON.parse(event.data).within); });
    source.addEventListener("poll", () => { stop(); poll(); });
    source.addEventListener("ended", () => { stop(); location.reload(); });
    source.addEventListener("bye", () => { stop(); setTimeout(again, 1000); });
    source.onerror = () => {
      if (source?.readyState === EventSource.CLOSED) { stop(); poll(); } else reached(false);
    };
  };
  const stop = () => { source?.close(); source = null; };
  const reached = (yes) => { if (yes) online(); else if (++lost > 1) offline(); };

  // A page without a stream polls. So does a page that becomes visible again, as its news may still be on the way.
  let polling = null;
  const head = async (back) => {
    if (!about) return;
    try {
      const answer = await fetch(`/head?about=${encodeURIComponent(about)}`, { cache: "no-store", signal: AbortSignal.timeout?.(4000) });
      if (!answer.ok) return;
      online(); version((await answer.json()).version);
      if (back && !typed()) soon(0.5);
    } catch { reached(false); }
  };
  const poll = () => {
    clearInterval(polling);
    polling = setInterval(() => { if (document.visibilityState !== "hidden") head(); }, 4000 + 3000 * Math.random());
  };
  const again = () => { if (document.visibilityState === "hidden") return; head(true); if (!polling) { stop(); listen(); } };

  document.addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden" && !screen) stop(); else again(); });
  window.addEventListener("online", again);
  window.addEventListener("offline", offline);
  window.addEventListener("pageshow", (event) => { if (event.persisted) again(); });
  window.addEventListener("pagehide", stop);
  setInterval(() => { if (document.documentElement.classList.contains("offline")) again(); }, 2000);

  // A stack of slips: the field is free for the next one at once, and they are sent one after the other. A refusal that
  // comes while the next one is typed stays on the page.
  const slips = [], left = [];
  let sending = false;
  const send = async () => {
    if (sending) return;
    sending = true;
    while (slips.length) {
      const form = document.querySelector("form[data-quick]");
      if (!form) break;
      const slip = slips.shift(), sent = new URLSearchParams(new FormData(form));
      sent.set("slip", slip);
      try {
        const answer = await fetch(form.action, { method: "POST", body: sent, headers: { accept: "text/html" } });
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        const next = document.getElementById("slip").value, busy = next || slips.length;
        online();
        if (answer.ok) history.replaceState(null, "", answer.url);
        else if (busy) left.push(`${slip}: ${Array.from(page.querySelectorAll("main .refusal p, main p[role=alert]"), (each) => each.textContent).join(". ")}`);
        say(""); clearTimeout(timer); due = Infinity; // most of the news is what was just sent
        took(page);
        const field = document.getElementById("slip");
        if (!field) break;
        if (busy || answer.ok) { field.value = next; field.focus(); } else field.select();
        for (const text of left) {
          const told = document.createElement("p");
          told.className = "said refusal"; told.setAttribute("role", "alert"); told.textContent = text;
          field.form.before(told);
        }
      } catch {
        const field = document.getElementById("slip"), next = field.value;
        field.value = slip; field.select(); offline();
        if (next) left.push(next);
        left.push(...slips); slips.length = 0;
      }
    }
    sending = false;
    head();
  };
  document.addEventListener("submit", (submit) => {
    if (!submit.target.matches("form[data-quick]")) return;
    submit.preventDefault();
    const field = document.getElementById("slip");
    if (!sending && !slips.length) left.length = 0;
    slips.push(field.value); field.value = "";
    send();
  });

  // All other forms are sent from here, too, so that a form that cannot be sent stays filled in. Sent again, it is entered once.
  const keep = async (form, button) => {
    const sent = new URLSearchParams(new FormData(form));
    if (button?.name) sent.set(button.name, button.value);
    const address = button?.hasAttribute("formaction") ? button.formAction : form.action;
    const slip = document.getElementById("slip")?.value;
    form.querySelector(".unsent")?.remove();
    form.setAttribute("aria-busy", "true");
    try {
      const answer = await fetch(address, { method: "POST", body: sent, headers: { accept: "text/html" }, signal: AbortSignal.timeout?.(20000) });
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      online();
      const alert = page.querySelector("main > p[role=alert]"); // a page without the form
      if (alert || answer.status === 429 || answer.status >= 500) {
        const hint = alert?.nextElementSibling, more = hint && !hint.querySelector("a") ? ` ${hint.textContent}` : "";
        unsent(form, button, alert ? `${alert.textContent}${more}` : words.unsent);
        return;
      }
      if (answer.redirected) history.replaceState(null, "", answer.url);
      else if (answer.ok) { history.replaceState({ form: true }, ""); history.pushState(null, ""); } // for example, a new code
      say(""); clearTimeout(timer); due = Infinity;
      answered(page, slip);
    } catch { unsent(form, button, words.unsent); } finally { form.removeAttribute("aria-busy"); }
  };
  // The answer to a form is shown as if the browser had opened it, except that a slip typed meanwhile stays.
  const answered = (page, slip) => {
    const typing = document.getElementById("slip")?.value, before = about;
    document.getElementById("told")?.remove();
    for (const fold of document.querySelectorAll("main details[open]")) fold.open = false;
    document.activeElement?.blur();
    answers += 1;
    show(page);
    shownAt = new Date();
    take(page.querySelector("script[data-stream]")?.dataset.stream);
    if (about !== before) { stop(); listen(); }
    const field = document.getElementById("slip");
    if (field && typing !== slip && !field.value) field.value = typing;
    if (matchMedia("(pointer: fine)").matches) document.querySelector("main [autofocus]")?.focus({ preventScroll: true });
    scrollTo(0, 0);
  };
  const unsent = (form, button, text) => {
    const told = document.createElement("p");
    told.className = "said refusal unsent"; told.setAttribute("role", "alert"); told.textContent = text;
    const row = button?.closest("tr"), pressed = button ?? form.querySelector("button");
    if (row) {
      const below = document.createElement("tr"), cell = below.insertCell();
      below.className = "unsent"; cell.colSpan = row.cells.length; cell.append(told);
      told.classList.remove("unsent"); row.after(below);
    } else (pressed?.closest("form p") ?? form.lastElementChild).before(told);
    told.scrollIntoView({ block: "nearest" });
  };
  document.addEventListener("submit", async (submit) => {
    if (!submit.target.matches("form[method=post]:not([data-quick], [target])")) return;
    submit.preventDefault();
    if (keeping) return;
    keeping = true;
    try { await keep(submit.target, submit.submitter); } finally { keeping = false; }
    head();
  });

  window.addEventListener("popstate", (back) => { if (back.state?.form) location.reload(); });

  // A chosen file is put into the text field, to be sent as text.
  document.addEventListener("change", async (change) => {
    const into = change.target.dataset?.into;
    if (!into || !change.target.files?.[0]) return;
    document.getElementById(into).value = await change.target.files[0].text();
  });

  listen();
})();
