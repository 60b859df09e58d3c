/**
 * Where an operator's packages are looked for: next to the first of these files, and what is not found there, next to the following one. The server names his
 * config, and then a file in his working folder. None of them need exist.
 */
export type Places = readonly [string, ...string[]]
