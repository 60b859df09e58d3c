import { InvalidArgumentError } from 'commander'

/** Reads an instant, or a day in UTC. @throws InvalidArgumentError */
export function date(text: string): Date {
  const match = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/i.test(text) ? new Date(text) : undefined
  if (match && !Number.isNaN(match.getTime())) return match
  throw new InvalidArgumentError('It must be like 2030-12-31T23:59:59Z, or a day, 2030-12-31.')
}

/** Reads a whole number. @throws InvalidArgumentError outside of the bounds */
export function count(most: number, least = 1): (text: string) => number {
  return (text) => {
    const number = Number(text)
    if (/^\d{1,15}$/.test(text) && number >= least && number <= most) return number
    throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`)
  }
}

/** Reads a line of text. @throws InvalidArgumentError when it is empty, too long, or more than one */
export function line(most: number): (text: string) => string {
  return (text) => {
    const trimmed = text.trim()
    if (trimmed !== '' && [...trimmed].length <= most && !/\p{C}/u.test(trimmed)) return trimmed
    throw new InvalidArgumentError(`It must be one line of 1 to ${most} characters.`)
  }
}

/** Reads words with commas between them. */
export function words(text: string): readonly string[] {
  return text.split(',').map((word) => word.trim())
}
