"use strict";
// Replaces the package `depd` in dependencies of Koa. `depd` inspects the call stack when it is loaded, which makes V8 compute the line
// offsets of the whole bundle. Here it is loaded at the first call of a deprecated function.
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
