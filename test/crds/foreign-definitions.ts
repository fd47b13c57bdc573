/** CustomResourceDefinitions with features that occur in those of well-known operators. */
export const FOREIGN = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: rules.mill.example.com
spec:
  group: mill.example.com
  scope: Namespaced
  names: { kind: Rule, plural: rules, singular: rule, listKind: RuleList, shortNames: [rl], categories: [mill] }
  conversion: { strategy: None }
  versions:
    - name: v1
      served: true
      storage: true
      subresources:
        status: {}
        scale: { specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector }
      selectableFields: [{ jsonPath: .spec.mode }]
      additionalPrinterColumns:
        - { name: Ready, type: string, jsonPath: '.status.conditions[?(@.type=="Ready")].status', description: Whether it is ready }
        - { name: Age, type: date, jsonPath: .metadata.creationTimestamp, priority: 1 }
      schema:
        openAPIV3Schema:
          type: object
          description: |-
            Rule tells the mill
            what to grind.

            It has two paragraphs.
          required: [spec, metadata]
          x-kubernetes-validations: [{ rule: "self.metadata.name != 'none'", messageExpression: "'not ' + self.metadata.name" }]
          properties:
            apiVersion: { type: string, description: standard }
            kind: { type: string }
            metadata: { type: object, properties: { name: { type: string, maxLength: 20 } } }
            spec:
              type: object
              description: What is asked for. Ends a comment with */ in it.
              required: [mode, names, limits, tags]
              oneOf: [{ required: [fine] }, { required: [coarse] }]
              not: { required: [fine, coarse] }
              minProperties: 2
              x-kubernetes-validations:
                - { rule: "!has(self.low) || self.low < 10", message: low is too high, fieldPath: .low, reason: FieldValueForbidden }
                - { rule: "!oldSelf.hasValue() || self.mode == oldSelf.value().mode", optionalOldSelf: true }
              properties:
                mode: { type: string, enum: [Fast, Slow, ""], default: Fast }
                names: { type: array, items: { type: string, maxLength: 5, description: A name }, x-kubernetes-list-type: set }
                limits: { type: object, additionalProperties: { x-kubernetes-int-or-string: true, anyOf: [{ type: integer }, { type: string }] } }
                tags: { type: array, minItems: 1, items: { type: object, required: [key], properties: { key: { type: string }, "when": { type: string, format: date-time }, since: { type: string, format: date-time, default: "2030-01-01T00:00:00.500000Z" } } }, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [key] }
                fine: { type: integer, format: int32, minimum: 1, maximum: 9 }
                coarse: { type: integer, enum: [1, 2, 3] }
                low: { type: number, minimum: 0, exclusiveMinimum: true, multipleOf: 0.25 }
                high: { type: number, format: double, maximum: 5, exclusiveMaximum: true }
                replicas: { type: integer }
                shares: { type: array, items: { type: integer } }
                size: { x-kubernetes-int-or-string: true, anyOf: [{ type: integer }, { type: string }], pattern: '^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$' }
                port: { x-kubernetes-int-or-string: true, pattern: '^[0-9]+%?$' }
                raw: { x-kubernetes-preserve-unknown-fields: true }
                object: { type: object, x-kubernetes-preserve-unknown-fields: true, description: "Anything, see @docs" }
                pod: { type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true }
                open: { type: object, additionalProperties: true }
                half: { type: object, x-kubernetes-preserve-unknown-fields: true, properties: { known: { type: boolean } } }
                empty: { type: object }
                nothing: { type: string, nullable: true }
                lists: { type: object, additionalProperties: { type: array, items: { type: string } } }
                maps: { type: object, additionalProperties: { type: object, additionalProperties: { type: string } } }
                rows: { type: array, items: { type: array, items: { type: integer, format: int64 } } }
                uri: { type: string, format: uri, title: An address }
                bytes: { type: string, format: byte }
                defaulted: { type: object, default: { a: 1 }, properties: { a: { type: integer, format: int32 }, b: { type: string, default: x } } }
                atomic: { type: object, x-kubernetes-map-type: atomic, properties: { a: { type: string } } }
                pairs: { type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b, c, d], items: { type: object, required: [a, b, c, d], properties: { a: { type: string }, b: { type: string }, c: { type: string }, d: { type: string } } } }
                things: { type: array, x-kubernetes-list-type: atomic, items: { type: object, description: One thing, properties: { a: { type: string } }, anyOf: [{ required: [a] }] } }
                foo-bar: { type: string }
                a.b/c: { type: boolean, default: false }
                default: { type: string }
                constructor: { type: string }
                "1st": { type: string, pattern: '^\\d+$' }
                immutable: { type: string, x-kubernetes-validations: [{ rule: self == oldSelf, message: it stays }] }
            status:
              type: object
              properties:
                replicas: { type: integer, format: int32 }
                selector: { type: string }
                conditions: { type: array, items: { type: object, required: [type, status], properties: { type: { type: string }, status: { type: string } } } }
    - name: v1beta1
      served: true
      storage: false
      deprecated: true
      deprecationWarning: v1beta1 of Rule is old
      schema: { openAPIV3Schema: { type: object, x-kubernetes-preserve-unknown-fields: true } }
    - name: v1alpha1
      served: false
      storage: false
      deprecated: true
      schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { mode: { type: string } } } } } }
---
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: packages.mill.example.com
spec:
  group: mill.example.com
  scope: Cluster
  names: { kind: Package, plural: packages }
  conversion:
    strategy: Webhook
    webhook: { conversionReviewVersions: [v1], clientConfig: { service: { namespace: mill, name: hook } } }
  versions:
    - { name: v1, served: true, storage: true, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { weight: { type: string } } } } } } }
    - { name: v1beta1, served: true, storage: false, schema: { openAPIV3Schema: { type: object, properties: { spec: { type: object, properties: { grams: { type: integer } } } } } } }
`;
