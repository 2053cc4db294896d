// The service worker: with the server it stays out of the way, without it it shows the last board. It keeps no writes.
"use strict";
const FILES = "files";
const BOARDS = "boards"; // written by phone.js
const PATIENCE_MS = 6000;

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(FILES).then((files) => files.add("/offline")).then(() => self.skipWaiting()));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(request, pathname));
  else if (pathname.startsWith("/static/")) event.respondWith(file(request));
});

// A file of the pages: as the server has it, else as it was.
async function file(request) {
  const files = await caches.open(FILES);
  try {
    const answer = await fetch(request);
    if (answer.ok) await files.put(request, answer.clone());
    return answer;
  } catch {
    return (await files.match(request)) ?? Response.error();
  }
}

async function page(request, pathname) {
  const known = await lastBoard(pathname);
  try {
    return await fetch(request, known && { signal: AbortSignal.timeout?.(PATIENCE_MS) });
  } catch {
    return known ? asSeen(known) : caches.match("/offline").then((answer) => answer ?? Response.error());
  }
}

// The board of this game; of the game seen last where the page belongs to none.
async function lastBoard(pathname) {
  const boards = await caches.open(BOARDS);
  const game = /^\/g\/[^/]+/.exec(pathname)?.[0];
  if (game) return boards.match(game);
  const all = await Promise.all((await boards.keys()).map((key) => boards.match(key)));
  return all.sort((one, other) => other.headers.get("X-Seen") - one.headers.get("X-Seen"))[0];
}

async function asSeen(kept) {
  const html = (await kept.text()).replace("<html", `<html data-seen="${kept.headers.get("X-Seen")}"`);
  return new Response(html, { headers: { "Content-Type": "text/html; charset=utf-8" } });
}
