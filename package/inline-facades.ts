import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A file that only passes on what another file of the bundle exports: `import { mt as hooks } from "./start-….js"; export { hooks };` */
const FACADE =
  /^import \{ ([^}]*) \} from "\.\/([^"]+)";\s*export \{ ([^}]*) \};\s*(?:\/\/# sourceMappingURL=\S+\s*)?$/;
const EXPORTS = /^export \{ ([^}]*) \};$/m;
const DYNAMIC = /import\("\.\/([^"]+)"\)/g;

/** `a as b, c` as pairs of what stands before and after `as`. */
const pairs = (list: string): readonly (readonly [string, string])[] =>
  list.split(", ").map((each) => {
    const [from = "", to = from] = each.split(" as ");
    return [from, to];
  });

/**
 * The bundler makes a file of its own of each module that is imported dynamically, although its code is in the file that every server loads: fifty
 * files to load until a server is ready. This imports the file with the code instead, and removes the files that nothing names any more.
 */
export function inlineFacades(folder: string): void {
  const texts = new Map(
    readdirSync(folder)
      .filter((name) => name.endsWith(".js"))
      .map((name) => [name, readFileSync(join(folder, name), "utf8")]),
  );
  const facades = new Map([...texts].flatMap(([name, text]) => facadeOf(name, text)));
  for (const [name, text] of texts) {
    const [list = "", exported = ""] = EXPORTS.exec(text) ?? [];
    const locals = new Map(pairs(exported).map(([local, to]) => [to, local]));
    // Functions of the file itself: where the import stands, a local variable may have the name of what is imported.
    const own = new Map<string, string>();
    const changed = text.replace(DYNAMIC, (found: string, target: string) => {
      const facade = facades.get(target);
      if (facade === undefined) return found;
      const { file, names } = facade;
      if (file !== name) return `import("./${file}").then((all) => (${object(names, (each) => `all.${each}`)}))`;
      const call = `facadeOf${[...facades.keys()].indexOf(target)}`;
      own.set(
        call,
        object(names, (each) => locals.get(each) ?? "undefined"),
      );
      return `Promise.resolve(${call}())`;
    });
    if (changed === text) continue;
    const functions = [...own].map(([call, value]) => `function ${call}() { return ${value}; } `);
    const whole = own.size === 0 ? changed : changed.replace(list, () => functions.join("") + list);
    texts.set(name, whole);
    writeFileSync(join(folder, name), whole);
  }
  const named = new Set(
    [...texts.values()].flatMap((text) => [...text.matchAll(/"\.\/([^"]+)"/g)].map(([, to]) => to)),
  );
  for (const name of facades.keys()) {
    if (named.has(name) || !/-[\w-]{8}\.js$/.test(name)) continue;
    for (const file of [name, `${name}.map`]) rmSync(join(folder, file), { force: true });
  }
}

interface Facade {
  /** The file with the code. */
  readonly file: string;
  /** Names for importers, and those that the file exports. */
  readonly names: readonly (readonly [string, string])[];
}

function facadeOf(name: string, text: string): [string, Facade][] {
  const [, imported = "", file = "", exported = ""] = FACADE.exec(text) ?? [];
  if (file === "" || exported === "") return [];
  const sources = new Map(pairs(imported).map(([from, local]) => [local, from]));
  const names = pairs(exported).map(([local, to]): [string, string] => [to, sources.get(local) ?? ""]);
  return names.some(([, from]) => from === "") ? [] : [[name, { file, names }]];
}

const object = (names: Facade["names"], expressionOf: (exported: string) => string): string =>
  `{ ${names.map(([to, from]) => `${to}: ${expressionOf(from)}`).join(", ")} }`;
