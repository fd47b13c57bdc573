import { expect, it } from "vitest";
import { goQuote } from "../../runtime/go/quote.ts";
import { longestTurn } from "../hostile/longest-turn.ts";

it.each([
  ["", '""'],
  ["plain text", '"plain text"'],
  ['a "b" \\c', '"a \\"b\\" \\\\c"'],
  ["\x00\x07\n\x7f", '"\\x00\\a\\n\\x7f"'],
  ["é\u00a0\u2028😀", '"é\\u00a0\\u2028😀"'],
  ["\u{e0001}\ud800", '"\\U000e0001\\ud800"'],
])("quotes %j as Go does", (text, quoted) => {
  expect(goQuote(text)).toBe(quoted);
});

it.each([
  ['"', '\\"'],
  ["\u0001", "\\x01"],
  ["a\n", "a\\n"],
  ["\ud800", "\\ud800"],
])("quotes a long text of %j in little time", async (part, quoted) => {
  let result = "";
  const { total } = await longestTurn(async () => {
    result = goQuote(part.repeat(400_000));
  });
  expect(result === `"${quoted.repeat(400_000)}"`).toBe(true);
  expect(total).toBeLessThan(150);
});
