import type { DefinitionNames } from "../../generator/scaffold/scaffold.ts";

/** Values for the files of a new project, other than the definition of its first kind. */
export interface NewProject {
  readonly name: string;
  readonly domain: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  /** File and constant names of the definition. */
  readonly names: DefinitionNames;
  readonly controllers: boolean;
  /** Specifier of this package in package.json. */
  readonly packageSpec: string;
  /** Versions of the packages that package.json lists. */
  readonly versions: Readonly<Record<string, string>>;
}

/** Returns the content of the files by path. */
export function projectFiles(project: NewProject): Readonly<Record<string, string>> {
  return {
    "package.json": manifest(project),
    "tsconfig.json": TSCONFIG,
    "typeplane.config.ts": config(project),
    ".gitignore": "node_modules/\n.cache/\n.typeplane/\ndist/\n",
    [`test/${project.kind.toLowerCase()}.test.ts`]: test(project),
    ...(project.controllers && {
      [`controllers/${project.names.file}.ts`]: controller(project),
      "controllers/main.ts": main(project),
    }),
    "README.md": readme(project),
  };
}

function manifest({ name, packageSpec, versions, controllers }: NewProject): string {
  const of = (...names: string[]) => Object.fromEntries(names.map((each) => [each, versions[each] ?? "*"]));
  const text = {
    name,
    version: "0.1.0",
    private: true,
    type: "module",
    engines: { node: "^22.18.0 || >=23.6.0" },
    // Other projects that use types of this one import these files.
    exports: { "./api-definitions/*": "./api-definitions/*", "./generated/*": "./generated/*" },
    scripts: {
      generate: "typeplane generate",
      serve: "typeplane generate && typeplane serve",
      dev: "typeplane dev",
      ...(controllers && { controllers: "node controllers/main.ts" }),
      test: "typeplane generate && node --test",
      check: "typeplane check && tsc",
    },
    dependencies: { typeplane: packageSpec },
    devDependencies: { "@types/node": "^24.0.0", ...of("handlebars", "ts-morph"), typescript: "^5.9.0", ...of("yaml") },
  };
  return `${JSON.stringify(text, undefined, 2)}\n`;
}

const TSCONFIG = `${JSON.stringify(
  {
    compilerOptions: {
      target: "esnext",
      lib: ["esnext"],
      types: ["node"],
      module: "nodenext",
      noEmit: true,
      strict: true,
      allowImportingTsExtensions: true,
      erasableSyntaxOnly: true,
      verbatimModuleSyntax: true,
    },
    include: ["api-definitions", "controllers", "generated", "test", "*.ts"],
  },
  undefined,
  2,
)}\n`;

function config({ name, domain }: NewProject): string {
  return `import { defineConfig } from "typeplane/vocabulary";

export default defineConfig({
  name: "${name}",
  domain: "${domain}",
});
`;
}

/** Returns the test file. The scaffold chooses the plural of the kind, so the test reads the resource path from discovery. */
function test({ group, version, kind }: NewProject): string {
  return `import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type Plane, startPlane } from "typeplane";
import { registry } from "../generated/registry.ts";

const GROUP = "/apis/${group}/${version}";
const headers = { "Content-Type": "application/json" };

let plane: Plane;
let path: string;

before(async () => {
  plane = await startPlane({ kinds: registry, listen: false });
  await plane.ready;
  const { resources } = (await (await plane.fetch(GROUP)).json()) as { resources: { kind: string; name: string }[] };
  const plural = resources.find(({ kind, name }) => kind === "${kind}" && !name.includes("/"))?.name;
  path = \`\${GROUP}/namespaces/default/\${plural}\`;
});
after(() => plane.stop());

/** The status of the response, and the object or the error. */
async function create(name: string, spec: object): Promise<{ status: number; body: { spec?: object; message?: string } }> {
  const object = { apiVersion: "${group}/${version}", kind: "${kind}", metadata: { name }, spec };
  const response = await plane.fetch(path, { method: "POST", headers, body: JSON.stringify(object) });
  return { status: response.status, body: (await response.json()) as { spec?: object; message?: string } };
}

test("a ${kind} gets the defaults of its definition", async () => {
  const { status, body } = await create("first", { title: "First" });
  assert.equal(status, 201);
  assert.deepEqual(body.spec, { title: "First", size: 10, priority: "Low" });
});

test("a ${kind} that breaks a rule is refused", async () => {
  const { status, body } = await create("second", { title: "", size: -1 });
  assert.equal(status, 422);
  assert.match(body.message ?? "", /spec\\.size/);
});
`;
}

function controller({ version, kind, names: { folder, constant, file } }: NewProject): string {
  return `import { controller } from "typeplane/controller";
import { ${constant} } from "../api-definitions/${folder}/${version}/${file}.ts";
import "../generated/resources/${folder}.${version}.ts";

/** Called for each ${kind} that is created or changed. If it throws an error, it is called again later. */
export const ${constant}Controller = controller(${constant}).reconcile(async ({ metadata }, { events }) => {
  events.normal("Seen", \`${kind} \${metadata.name} is at generation \${metadata.generation}\`);
});
`;
}

function main({ name, names: { constant, file } }: NewProject): string {
  return `import { connect } from "typeplane/client";
import { manager } from "typeplane/controller";
import { ${constant}Controller } from "./${file}.ts";

/** Runs the controllers until the process gets SIGTERM. If several such processes run, only one is active at a time. */
const client = await connect();
await manager({ client, controllers: [${constant}Controller], leaderElection: { name: "${name}" } }).run();
`;
}

const CONTROLLERS = `- \`controllers/\` has a module for each controller; \`main.ts\` starts them (\`npm run controllers\`). \`npx typeplane roles --leader-election\` writes the
  roles that they need in a cluster.
`;

function readme({ name, group, version, kind, controllers }: NewProject): string {
  return `# ${name}

Kinds of the API group \`${group}\`, served by Typeplane to any Kubernetes client.

    npm install
    npm run serve      # generate generated/ and start a server on loopback; it prints how to use kubectl
    npm test           # generate and test, with a server inside the test

- \`api-definitions/\` declares the kinds: fields, defaults, rules, columns. \`npx typeplane scaffold ${group}/${version}/Name\` adds a kind.
${controllers ? CONTROLLERS : ""}- \`generated/\` is the output of the generator. Commit it, and do not edit it.
- \`typeplane.config.ts\` declares the name of the project, its releases and the flags of its server.
- \`npx typeplane help\` lists the other commands. \`npm run check\` checks definitions and types.

    kubectl explain ${kind.toLowerCase()}.spec
`;
}
