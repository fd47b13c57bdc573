"use strict";
// Packages below Koa get this instead of the package `depd`, which looks at the stack of calls at once: V8 then looks for the lines of the
// whole bundle. It is loaded at the first call of something deprecated.
module.exports = (namespace) => {
  let loaded;
  const deprecate = (message) => {
    loaded ??= require("depd")(namespace);
    loaded(message);
  };
  deprecate.function = (call, message) =>
    function (...parts) {
      deprecate(message);
      return new.target === undefined ? call.apply(this, parts) : Reflect.construct(call, parts, new.target);
    };
  deprecate.property = () => undefined;
  return deprecate;
};
