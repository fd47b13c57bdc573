import { describe, expect, it } from "vitest";
import { goDate, goTime } from "../../runtime/go/time.ts";

describe("times as Go prints them", () => {
  it.each([
    ["2030-01-02T03:04:05Z", "2030-01-02 03:04:05 +0000 UTC"],
    ["2030-01-02T03:04:05.500000Z", "2030-01-02 03:04:05.5 +0000 UTC"],
    ["2030-01-02T03:04:05.000000Z", "2030-01-02 03:04:05 +0000 UTC"],
    [undefined, "0001-01-01 00:00:00 +0000 UTC"],
  ])("prints %s with %%v as %s", (time, text) => {
    expect(goTime(time)).toBe(text);
  });

  it("prints the call of time.Date with %#v", () => {
    expect(goDate("2030-12-02T03:04:05.5Z", "Local")).toBe(
      "time.Date(2030, time.December, 2, 3, 4, 5, 500000000, time.Local)",
    );
    expect(goDate(undefined)).toBe("time.Date(1, time.January, 1, 0, 0, 0, 0, time.UTC)");
  });
});
