import { Type } from 'typebox'

/** Makes the schema of `next`, the cursor in a page of a list whose search may be cut short by time. @param cursor what the next request calls it */
export function nextPage(example: string, cursor = '`before`') {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${cursor} of the next page; null: this was the last one. A search for something rare may end before its page is full: then there are fewer than asked for, or none, and it goes on with this.`,
    examples: [example],
  })
}
