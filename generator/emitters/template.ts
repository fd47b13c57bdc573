import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import type { Model } from "../model/model.ts";

/** Compiles a template in the emitter's folder. Values are inserted without escaping, because no generated file is HTML. */
export function loadTemplate<View>(name: string, importer: string): (view: View) => string {
  const source = readFileSync(new URL(name, importer), "utf8");
  return Handlebars.compile<View>(source, { noEscape: true, strict: true });
}

/** Returns the command that generated files name: this repository has a Makefile, other projects have the package. */
export function generateCommand({ uses }: Model): string {
  return uses === undefined ? "make generate" : "npx typeplane generate";
}
