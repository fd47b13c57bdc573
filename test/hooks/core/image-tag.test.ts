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

  it.each([
    ["one part in the default registry", "", 247],
    ["several parts in the default registry", "team/", 250],
    ["the default registry by name", "docker.io/", 247],
    ["another registry", "registry.example.com:5000/", 255],
  ])("allows 255 characters of a path: %s", (_, before, most) => {
    expect(imageTag(before + "x".repeat(most))).toBe("latest");
    expect(imageTag(before + "x".repeat(most + 1))).toBeUndefined();
  });

  it.each(["", "UPPER", "a b", "nginx:", "web@sha256:12", `web@${DIGEST}`, "f".repeat(64), "a".repeat(300)])(
    "of %j is none",
    (image) => {
      expect(imageTag(image)).toBeUndefined();
    },
  );
});
