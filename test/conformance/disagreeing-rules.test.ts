import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { ProjectCopy } from "../tools/project-copy.ts";
import { ServerProcess } from "../tools/server-process.ts";

/** Declares that a size is at least 0; by hand it is at most 100. */
const HOOKS = `import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { invalidField } from "../../../runtime/values/field-errors.ts";
import type { Book } from "./book.ts";

export const hooks = kindHooks<Book>({
  compatibility: {
    validateByHand: ({ spec }) => (spec.size! > 100 ? [invalidField("spec.size", spec.size, "must be at most 100")] : []),
  },
});
`;

const BOOKS = "/apis/bookstore.example.com/v1/namespaces/default/books";
const book = (name: string, size: number) => ({
  apiVersion: "bookstore.example.com/v1",
  kind: "Book",
  metadata: { name },
  spec: { title: "Of rules", size },
});

describe("a kind whose rules by hand and declared rules disagree", () => {
  let project: ProjectCopy;
  let server: ServerProcess | undefined;
  let directory: string;

  beforeAll(() => {
    project = new ProjectCopy();
    project.generate("scaffold", "bookstore.example.com/v1", "Book");
    project.write("api-definitions/bookstore/v1/book.hooks.ts", HOOKS);
    project.generate();
  });
  afterEach(async () => {
    await server?.stop();
    rmSync(directory, { recursive: true, force: true });
  });
  afterAll(() => project.remove());

  async function serve(gates: string): Promise<ServerProcess> {
    directory = mkdtempSync(join(tmpdir(), "typeplane-books-"));
    const flags = ["--controllers=false", ...(gates === "" ? [] : [`--feature-gates=${gates}`])];
    server = await ServerProcess.started({ directory, flags, launcher: project.launcher });
    return server;
  }

  const mismatchesOf = async ({ client }: ServerProcess): Promise<number> => {
    const { body } = await client.request("GET", "/metrics");
    return Number(/^declarative_validation_mismatch_total (\d+)$/m.exec(String(body))?.[1]);
  };

  const NEGATIVE =
    "declarative and handwritten validation disagree: Book negative: only the declared rules refuse spec.size";
  const HUGE = "declarative and handwritten validation disagree: Book huge: only the code by hand refuses spec.size";

  it.each([
    ["", { negative: 201, huge: 422 }, [1, 2]],
    ["DeclarativeValidationTakeover=true", { negative: 422, huge: 201 }, [1, 2]],
    ["DeclarativeValidation=false", { negative: 201, huge: 422 }, [0, 0]],
    ["DeclarativeValidation=false,DeclarativeValidationTakeover=true", { negative: 201, huge: 422 }, [0, 0]],
  ])(
    "is told of, counted, and decided by the gates (%j)",
    async (gates, expected, counts) => {
      const running = await serve(gates);
      const { client } = running;
      const status = async (name: string, size: number) =>
        (await client.request("POST", BOOKS, book(name, size))).status;
      expect(await mismatchesOf(running)).toBe(0);
      expect(await status("agreed", 5)).toBe(201);
      expect(await mismatchesOf(running)).toBe(0);
      expect(await status("negative", -1)).toBe(expected.negative);
      expect(await mismatchesOf(running)).toBe(counts[0]);
      expect(await status("huge", 500)).toBe(expected.huge);
      expect(await mismatchesOf(running)).toBe(counts[1]);
      expect(running.log.includes(NEGATIVE)).toBe(counts[0] === 1);
      expect(running.log.includes(HUGE)).toBe(counts[1] === 2);
      client.close();
    },
    120_000,
  );
});
