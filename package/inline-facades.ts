import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Matches a file that only re-exports from another file of the bundle: `import { mt as hooks } from "./start-….js"; export { hooks };` */
const FACADE =
  /^import \{ ([^}]*) \} from "\.\/([^"]+)";\s*export \{ ([^}]*) \};\s*(?:\/\/# sourceMappingURL=\S+\s*)?$/;
const EXPORTS = /^export \{ ([^}]*) \};$/m;
const DYNAMIC = /import\("\.\/([^"]+)"\)/g;

/** Parses `a as b, c` into pairs of the names before and after `as`. */
const pairs = (list: string): readonly (readonly [string, string])[] =>
  list.split(", ").map((each) => {
    const [from = "", to = from] = each.split(" as ");
    return [from, to];
  });

/**
 * Replaces dynamic imports of facades. The bundler creates one file per module that is imported dynamically, even if its code is in the file
 * that every server loads; a server would load fifty of them until it is ready. The replaced imports load the file with the code, and unused
 * facades are removed.
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
    // Functions in the importing file: at the position of the import, a local variable may have the same name as the import.
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
  /** File that contains the code. */
  readonly file: string;
  /** Pairs of the name for importers and the name that the file exports. */
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
