"use strict";
// Replaces the package `mime-types` in Koa. Its table of all media types takes longer to load than the rest of Koa. It is loaded when Koa
// first looks up a file extension, which responses of this server never need.
const table = () => require("mime-types");

module.exports = {
  contentType: (type) => table().contentType(type),
  lookup: (path) => table().lookup(path),
};
