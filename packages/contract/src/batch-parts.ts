import type { Question } from './json-rpc-wave.ts'

/**
 * Most characters of a batch: half of the least that what stands before a node takes as a body by default, which is nginx with 1 MB (anvil takes 2 MB, geth 5 MB).
 *
 * @see https://nginx.org/en/docs/http/ngx_http_core_module.html#client_max_body_size (read 2026-11-28)
 */
const BATCH_CHARACTERS = 500_000

/** Splits questions into batches of at most `most` questions and 500,000 characters. A question that is longer by itself makes up a batch alone. */
export function partsOf(questions: readonly Question[], most: number): readonly (readonly Question[])[] {
  const parts: Question[][] = []
  let characters = 0
  for (const question of questions) {
    const { length } = question.text
    const part = parts.at(-1)
    characters += length
    if (part && part.length < most && characters <= BATCH_CHARACTERS) part.push(question)
    else {
      parts.push([question])
      characters = length
    }
  }
  return parts
}
