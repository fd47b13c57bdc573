"use strict";
// Replaces the package `http-assert`, which Koa offers as `ctx.assert`. The package is loaded at the first call.
const load = () => require("http-assert");

module.exports = (...parts) => load()(...parts);
for (const name of ["equal", "notEqual", "strictEqual", "notStrictEqual", "deepEqual", "notDeepEqual", "ok", "fail"]) {
  module.exports[name] = (...parts) => load()[name](...parts);
}
