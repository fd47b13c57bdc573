"use strict";
// Koa gets this as `ctx.assert` instead of the package `http-assert`, which is loaded when it is first called.
const load = () => require("http-assert");

module.exports = (...parts) => load()(...parts);
for (const name of ["equal", "notEqual", "strictEqual", "notStrictEqual", "deepEqual", "notDeepEqual", "ok", "fail"]) {
  module.exports[name] = (...parts) => load()[name](...parts);
}
