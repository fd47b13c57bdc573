/** Objects of namespaced kinds are made in this one. */
export const NAMESPACED = "namespaces/default";
