import { describe, expect, it } from "vitest";
import { pemBlocks } from "../../runtime/x509/pem.ts";

const types = (text: string) => pemBlocks(text).map(({ type, bytes }) => `${type} ${Buffer.from(bytes)}`);
const BLOCK = "-----BEGIN A-----\nYQ==\n-----END A-----";

describe("blocks of PEM", () => {
  it.each([
    ["one", BLOCK, ["A a"]],
    ["several, and what is between them", `x\n${BLOCK}\nx\n${BLOCK}\n`, ["A a", "A a"]],
    ["lines that end like those of Windows", `${BLOCK}\n`.replaceAll("\n", "\r\n"), ["A a"]],
    ["none inside", "-----BEGIN A-----\n-----END A-----\n", ["A "]],
    ["one after another that has no end", `-----BEGIN B-----\n${BLOCK}`, ["A a"]],
    ["one after another that is no base64", `-----BEGIN B-----\n!\n-----END B-----\n${BLOCK}`, ["A a"]],
    ["no beginning of a line", ` ${BLOCK}`, []],
    ["no beginning of a line at its end", BLOCK.replace("\n-----END", "-----END"), []],
    ["another end", BLOCK.replace("END A", "END B"), []],
    ["something after its end", `${BLOCK}x`, []],
  ])("are found: %s", (_name, text, expected) => {
    expect(types(text)).toEqual(expected);
  });

  it("may have headers", () => {
    const [block] = pemBlocks(BLOCK.replace("A-----\n", "A-----\nK: v\n\n"));
    expect(block).toMatchObject({ type: "A", hasHeaders: true, bytes: Buffer.from("a") });
  });
});
