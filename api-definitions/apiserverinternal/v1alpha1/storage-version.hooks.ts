import { kindHooks } from "../../../runtime/contract/kind-hooks.ts";
import { collectErrors } from "../../../runtime/values/field-errors.ts";
import { checkDns1035Label, checkSubdomain } from "../../../runtime/values/names.ts";
import { listText } from "../../../runtime/values/table-text.ts";
import { keepMetadataOnStatus } from "../../meta/v1/status-metadata.ts";
import type { StorageVersion } from "./storage-version.ts";
import { validateStorageVersionStatus } from "./storage-version-validation.ts";

const SHOWN_SERVERS = 3;

export const hooks = kindHooks<StorageVersion>({
  cells: ({ status }) => ({
    CommonEncodingVersion: status?.commonEncodingVersion ?? "<unset>",
    StorageVersions: listText(
      (status?.storageVersions ?? []).map(
        ({ apiServerID = "", encodingVersion = "" }) => `${apiServerID}=${encodingVersion}`,
      ),
      { max: SHOWN_SERVERS },
    ),
  }),
  validation: {
    name: checkStorageVersionName,
    update: () => [],
    subresources: {
      status: ({ status }) => collectErrors((errors) => validateStorageVersionStatus(status ?? {}, "status", errors)),
    },
  },
  lifecycle: {
    prepareForUpdate: keepMetadataOnStatus,
    resetFields: { "": ["status"], status: ["metadata", "spec"] },
  },
  compatibility: {
    order: { update: ["declared", "update"], subresources: { "*": ["declared", "update"] } },
  },
});

/** `<group>.<resource>`. */
function checkStorageVersionName(name: string): string[] {
  const dot = name.lastIndexOf(".");
  if (dot < 0) return ["name must be in the form of <group>.<resource>"];
  return [
    ...checkSubdomain(name.slice(0, dot)).map((problem) => `the group segment ${problem}`),
    ...checkDns1035Label(name.slice(dot + 1)).map((problem) => `the resource segment ${problem}`),
  ];
}
