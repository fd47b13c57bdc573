import { expect, it } from "vitest";
import { fieldErrorText } from "../../runtime/contract/field-error.ts";
import { validateMetadata } from "../../runtime/schema/validate-metadata.ts";

const problemsWith = (apiVersion: string) => {
  const owner = { apiVersion, kind: "Thing", name: "one", uid: "7" };
  return validateMetadata({ name: "x", namespace: "here", ownerReferences: [owner] }, true, () => []).map(
    fieldErrorText,
  );
};

it.each(["v1", "apps/v1", "/v1"])("an owner reference with the apiVersion %s is valid", (apiVersion) => {
  expect(problemsWith(apiVersion)).toEqual([]);
});

it.each(["", "apps/", "a/b/c", "https://x"])(
  "an owner reference with the apiVersion '%s' is rejected because its version is empty",
  (apiVersion) => {
    const value = JSON.stringify(apiVersion);
    expect(problemsWith(apiVersion)).toEqual([
      `metadata.ownerReferences.apiVersion: Invalid value: ${value}: version must not be empty`,
    ]);
  },
);
