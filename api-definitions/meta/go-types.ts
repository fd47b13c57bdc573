/** The structs of this group that messages show, as `runtime/go/types.ts` reads them. */
export const META_GO_TYPES = {
  FieldsV1: "Raw []uint8",
  LabelSelector: "MatchLabels map[string]string; MatchExpressions []LabelSelectorRequirement",
  LabelSelectorOperator: "= string",
  LabelSelectorRequirement: "Key string; Operator LabelSelectorOperator; Values []string",
  ManagedFieldsEntry: `
    Manager string; Operation ManagedFieldsOperationType; APIVersion string; Time *Time; FieldsType string;
    FieldsV1 *FieldsV1; Subresource string`,
  ManagedFieldsOperationType: "= string",
  ObjectMeta: `
    Name string; GenerateName string; Namespace string; SelfLink string; UID types.UID; ResourceVersion string;
    Generation int64; CreationTimestamp Time; DeletionTimestamp *Time; DeletionGracePeriodSeconds *int64;
    Labels map[string]string; Annotations map[string]string; OwnerReferences []OwnerReference; Finalizers []string;
    ManagedFields []ManagedFieldsEntry`,
  OwnerReference: `
    APIVersion string; Kind string; Name string; UID types.UID; Controller *bool; BlockOwnerDeletion *bool`,
} as const;

/** Raw data occurs only behind pointers, so its bytes are not shown. */
export const RUNTIME_GO_TYPES = { RawExtension: "Raw []uint8 -" } as const;
