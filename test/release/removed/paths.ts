/** Namespace of the objects of namespaced kinds. */
export const NAMESPACED = "namespaces/default";
