import { Type } from 'typebox'

/** Member `next` of a page of a list that is searched for as long as a request may take. @param cursor what the next request calls it */
export function nextPage(example: string, cursor = '`before`') {
  return Type.Unsafe<string | null>({
    type: ['string', 'null'],
    description: `${cursor} of the next page; null: this was the last one. A search for something rare may end before its page is full: then there are fewer than asked for, or none, and it goes on with this.`,
    examples: [example],
  })
}
