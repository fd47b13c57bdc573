/**
 * Loaded into the measured server. Counts the responses that the server sends between the arrival of a request of the quiet tenant and the
 * end of its response. Unlike wall-clock time, this number does not depend on other load on the machine. On SIGUSR2, writes the samples since
 * the last signal.
 */
import { subscribe } from "node:diagnostics_channel";
import { renameSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";

const begun = new WeakMap<IncomingMessage, number>();
let answered = 0;
let samples: number[] = [];

subscribe("http.server.request.start", (message) => {
  const { request } = message as { readonly request: IncomingMessage };
  if (request.headers.authorization === "Bearer quiet") begun.set(request, answered);
});
subscribe("http.server.response.finish", (message) => {
  const { request } = message as { readonly request: IncomingMessage };
  answered += 1;
  const since = begun.get(request);
  if (since !== undefined) samples.push(answered - since);
});
process.on("SIGUSR2", () => {
  const file = process.env.BENCH_DELAY_FILE ?? "";
  writeFileSync(`${file}.part`, JSON.stringify(samples));
  renameSync(`${file}.part`, file);
  samples = [];
});
