import { badRequest } from './codes.ts'

/** Decodes a canonical base64 text, with padding. @throws 400 BASE64_INVALID */
export function readBase64(text: string, name: string, most: number): Uint8Array<ArrayBuffer> {
  if (text === '') throw badRequest('BASE64_INVALID', `${name} is empty.`)
  if (text.length > Math.ceil(most / 3) * 4)
    throw badRequest('BASE64_INVALID', `${name} is longer than ${most} bytes, the most there can be.`)
  const bytes = Buffer.from(text, 'base64')
  if (bytes.toString('base64') !== text)
    throw badRequest('BASE64_INVALID', `${name} is not standard base64 with padding: a letter is foreign, or it was cut short.`)
  return new Uint8Array(bytes)
}
