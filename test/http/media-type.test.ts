import { describe, expect, it } from "vitest";
import { mediaTypeOf } from "../../runtime/http/negotiate/media-type.ts";

describe("a media type with parameters", () => {
  it.each([
    "application/json;",
    "application/json; ",
    "APPLICATION/json ; charset=utf-8",
    "application/json; a=b; a=b",
    'application/json; a="b;c\\"" ; d = e',
    "application/json;a='",
  ])("is read as Go reads it: %s", (header) => {
    expect(mediaTypeOf(header)).toBe("application/json");
  });

  it.each([
    "application/json; charset",
    "application/json;;",
    "application/json; =x",
    "application/json;a=",
    'application/json; a="b',
    "application/json; a=b c",
    "application/json; a=b; A=c",
  ])("is rejected if its parameters are malformed: %s", (header) => {
    expect(mediaTypeOf(header)).toBeUndefined();
  });
});
