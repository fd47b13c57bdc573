import { expect, it } from "vitest";
import { goFormatted } from "../../runtime/go/format.ts";

it.each([
  ["plain", "plain"],
  ["&{-5%}", "&{-5%!}(MISSING)"],
  ["%d%s", "%!d(MISSING)%!s(MISSING)"],
  ["%-5.2f", "%!f(MISSING)"],
  ["100%%", "100%"],
  ["100%", "100%!(NOVERB)"],
])("%j used as a format string prints %j", (text, shown) => {
  expect(goFormatted(text)).toBe(shown);
});
