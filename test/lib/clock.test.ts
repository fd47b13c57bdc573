import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { httpDate, isoString } from "../../runtime/lib/clock.ts";

describe("dates without names of time zones", () => {
  it("are those of toISOString and toUTCString", () => {
    const dates = fc.date({ min: new Date("-020000-01-01"), max: new Date("+020000-01-01"), noInvalidDate: true });
    fc.assert(fc.property(dates, (date) => void expect(isoString(date)).toBe(date.toISOString())));
    const served = fc.date({ min: new Date(0), max: new Date("9999-12-31T23:59:59.999Z"), noInvalidDate: true });
    fc.assert(fc.property(served, (date) => void expect(httpDate(date.getTime())).toBe(date.toUTCString())));
  });

  it("change with the second and not before", () => {
    expect(httpDate(1_000_999)).toBe("Thu, 01 Jan 1970 00:16:40 GMT");
    expect(httpDate(1_000_000)).toBe("Thu, 01 Jan 1970 00:16:40 GMT");
    expect(httpDate(1_001_000)).toBe("Thu, 01 Jan 1970 00:16:41 GMT");
  });

  it("refuse an invalid date", () => expect(() => isoString(new Date(Number.NaN))).toThrow(RangeError));
});
