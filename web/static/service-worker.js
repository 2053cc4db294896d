// The service worker: with the server it stays out of the way, without it it shows the last board. It keeps no writes.
"use strict";
const FILES = "files";
const BOARDS = "boards";
const MOST_BOARDS = 20;
const PATIENCE_MS = 6000;
let alone = false; // whether the last page had to be shown without the server

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((files) => files.add("/offline")).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// A page sends its board as it shows it: what is written here is whole, also when that page is left at once.
self.addEventListener("message", (event) => {
  const { board, html } = event.data ?? {};
  if (board && gameOf(board) === board) event.waitUntil(keep(board, html));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

const gameOf = (pathname) => /^\/g\/[^/]+/.exec(pathname)?.[0];

// A file of the pages: as the server has it, else as it was.
async function file(request) {
  const files = await caches.open(FILES);
  const known = alone && (await files.match(request));
  if (known) return known;
  try {
    const answer = await fetch(request);
    if (answer.ok) await files.put(request, answer.clone());
    return answer;
  } catch {
    return (await files.match(request)) ?? Response.error();
  }
}

async function page(event, pathname) {
  const known = await lastBoard(pathname);
  try {
    const answer = await (known ? soon(event.request) : fetch(event.request));
    alone = false;
    if (answer.ok && gameOf(pathname) === pathname) event.waitUntil(answer.clone().text().then((html) => keep(pathname, html)));
    return answer;
  } catch {
    alone = true;
    return known ? asSeen(known) : caches.match("/offline").then((answer) => answer ?? Response.error());
  }
}

// The answer, if it begins in time; once it has begun it may take as long as it needs.
async function soon(request) {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), PATIENCE_MS);
  try { return await fetch(request, { signal: late.signal }); } finally { clearTimeout(timer); }
}

async function keep(board, html) {
  const boards = await caches.open(BOARDS);
  await boards.put(board, new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8", "X-Seen": String(Date.now()) } }));
  for (const old of (await newestFirst(boards)).slice(MOST_BOARDS)) await boards.delete(old.key);
  await keepFiles(html);
}

// What a kept page needs: its first visit had no worker yet that could keep it in passing.
async function keepFiles(html) {
  const files = await caches.open(FILES);
  for (const [, path] of html.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)) {
    if (!(await files.match(path))) await files.add(path).catch(() => {});
  }
}

async function newestFirst(boards) {
  const all = await Promise.all((await boards.keys()).map(async (key) => ({ key, board: await boards.match(key) })));
  return all.filter(({ board }) => board).sort((one, other) => other.board.headers.get("X-Seen") - one.board.headers.get("X-Seen"));
}

// The board of this game; of the game seen last where the page belongs to none.
async function lastBoard(pathname) {
  const boards = await caches.open(BOARDS);
  const game = gameOf(pathname);
  return game ? boards.match(game) : (await newestFirst(boards))[0]?.board;
}

async function asSeen(kept) {
  const html = (await kept.text()).replace("<html", `<html data-seen="${kept.headers.get("X-Seen")}"`);
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}
