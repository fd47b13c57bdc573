import { describe, expect, it } from "vitest";
import { formatDuration, parseDuration } from "../../runtime/go/duration.ts";
import { canonicalBase64 } from "../../runtime/lib/base64.ts";
import { formatMicroMoment, formatMoment, isZeroTime, parseTime } from "../../runtime/values/times.ts";

describe("moments", () => {
  it.each([
    ["2024-05-01T10:00:00Z", "2024-05-01T10:00:00Z"],
    ["2024-05-01T10:00:00.999Z", "2024-05-01T10:00:00Z"],
    ["2024-05-01T10:00:00+02:00", "2024-05-01T08:00:00Z"],
    ["0099-02-03T04:05:06Z", "0099-02-03T04:05:06Z"],
  ])("%s is %s", (text, canonical) => {
    expect(formatMoment(parseTime(text))).toBe(canonical);
  });

  it("keeps microseconds where they are asked for", () => {
    expect(formatMicroMoment(parseTime("2024-05-01T10:00:00.000123Z", true))).toBe("2024-05-01T10:00:00.000123Z");
  });

  it("reads a MicroTime in its common form as it reads any other", () => {
    for (const day of ["2024-02-29", "2023-12-31", "1969-12-31", "0099-02-03"]) {
      for (const time of ["00:00:00.000000", "23:59:59.999999", "10:07:03.000123"]) {
        const moment = parseTime(`${day}T${time}Z`, true);
        expect(moment).toEqual(parseTime(`${day}T${time}+00:00`, true));
        expect(formatMicroMoment(moment)).toBe(`${day}T${time}Z`);
      }
    }
  });

  it.each([
    "2023-02-29T10:00:00.000000Z",
    "2024-05-01T24:00:00.000000Z",
    "2024-05-01T10:00:00.00000Z",
    "2024-05-01T10:00:00.0000000Z",
    "2024-05-01T10:00:00.00000xZ",
    "2024-05-01T10:00:00.-00001Z",
    "2024-05-01T10:00:00Z",
  ])("refuses %s as a MicroTime", (text) => {
    expect(() => parseTime(text, true)).toThrow(`parsing time "${text}"`);
  });

  it("knows Go's unset time", () => {
    expect(isZeroTime(parseTime("0001-01-01T00:00:00Z"))).toBe(true);
  });

  it.each([
    ["x", 'parsing time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"'],
    ["2024-13-01T10:00:00Z", 'parsing time "2024-13-01T10:00:00Z": month out of range'],
    ["2024-02-30T10:00:00Z", 'parsing time "2024-02-30T10:00:00Z": day out of range'],
    ["2024-02-03", 'parsing time "2024-02-03" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
    [
      "2024-02-03T10:00:00",
      'parsing time "2024-02-03T10:00:00" as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"',
    ],
    ["2024-02-03T10:00:00Zx", 'parsing time "2024-02-03T10:00:00Zx": extra text: "x"'],
  ])("refuses %s as Go does", (text, message) => {
    expect(() => parseTime(text)).toThrow(message);
  });
});

describe("durations", () => {
  it.each([
    ["0", "0s"],
    ["90s", "1m30s"],
    ["1h", "1h0m0s"],
    ["1.5s", "1.5s"],
    ["1500us", "1.5ms"],
    ["-2m", "-2m0s"],
    ["10ns", "10ns"],
  ])("%s prints as %s", (text, canonical) => {
    expect(formatDuration(parseDuration(text))).toBe(canonical);
  });

  it.each([
    ["", 'time: invalid duration ""'],
    ["5", 'time: missing unit in duration "5"'],
    ["5x", 'time: unknown unit "x" in duration "5x"'],
  ])("refuses %j as Go does", (text, message) => {
    expect(() => parseDuration(text)).toThrow(message);
  });
});

describe("base64", () => {
  it("is converted to canonical form or rejected", () => {
    expect(canonicalBase64("YW\nJj")).toBe("YWJj");
    expect(canonicalBase64("YR==")).toBe("YQ==");
    expect(() => canonicalBase64("Y*Jj")).toThrow("illegal base64 data at input byte 1");
    expect(() => canonicalBase64("YWJjZ")).toThrow("illegal base64 data at input byte 4");
  });
});
