import { describe, expect, it } from "vitest";
import { imageTag } from "../../../api-definitions/core/v1/image-tag.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;

describe("the tag of an image", () => {
  it.each([
    ["nginx", "latest"],
    ["nginx:1.27", "1.27"],
    ["registry.example.com:5000/team/web", "latest"],
    ["registry.example.com:5000/team/web:v2", "v2"],
    ["Example/web", "latest"],
    [`nginx:latest@${DIGEST}`, "latest"],
  ])("of %s is %s", (image, tag) => {
    expect(imageTag(image)).toBe(tag);
  });

  it.each(["", "UPPER", "a b", "nginx:", "web@sha256:12", `web@${DIGEST}`, "f".repeat(64), "a".repeat(300)])(
    "of %j is none",
    (image) => {
      expect(imageTag(image)).toBeUndefined();
    },
  );
});
