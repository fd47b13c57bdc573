import { readFileSync } from "node:fs";
import Handlebars from "handlebars";
import type { Model } from "../model/model.ts";

/** Compiles a template that stands beside its emitter. Text is inserted as it is: nothing generated is HTML. */
export function loadTemplate<View>(name: string, importer: string): (view: View) => string {
  const source = readFileSync(new URL(name, importer), "utf8");
  return Handlebars.compile<View>(source, { noEscape: true, strict: true });
}

/** The command that generated files name: this repository has a Makefile, other projects have the package. */
export function generateCommand({ uses }: Model): string {
  return uses === undefined ? "make generate" : "npx typeplane generate";
}
