import { readFileSync } from "node:fs";
import Handlebars from "handlebars";

/** Compiles a template that stands beside its emitter. Text is inserted as it is: nothing generated is HTML. */
export function loadTemplate<View>(name: string, importer: string): (view: View) => string {
  const source = readFileSync(new URL(name, importer), "utf8");
  return Handlebars.compile<View>(source, { noEscape: true, strict: true });
}
