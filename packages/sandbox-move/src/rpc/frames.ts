import { type GrpcCode, GrpcError, grpcCodes } from '../errors.ts'

/** Format in which a message is written into the body: as it is, or in base64. @see grpc PROTOCOL-WEB.md (read 2026-11-21) */
export type Format = 'binary' | 'text'

const trailerFlag = 0x80
const headerLength = 5

/** Returns the format that a request's content type names; undefined for another type. */
export function formatOf(contentType: string | undefined): Format | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase()
  if (type === 'application/grpc-web' || type === 'application/grpc-web+proto') return 'binary'
  if (type === 'application/grpc-web-text' || type === 'application/grpc-web-text+proto') return 'text'
  return undefined
}

export const contentTypes: Readonly<Record<Format, string>> = {
  binary: 'application/grpc-web+proto',
  text: 'application/grpc-web-text+proto',
}

/** Reads the only message of a request. @throws GrpcError `INTERNAL` when the frame does not fit */
export function readFrame(body: Buffer, format: Format): Uint8Array {
  const bytes = format === 'text' ? Buffer.from(body.toString('latin1'), 'base64') : body
  if (bytes.length < headerLength || bytes[0] !== 0 || bytes.readUInt32BE(1) !== bytes.length - headerLength) {
    throw new GrpcError('INTERNAL', 'the request is not one frame of a message without compression')
  }
  return new Uint8Array(bytes.subarray(headerLength))
}

/** Writes a message of a response as a frame of gRPC-web. @param format binary, or base64 text */
export function writeMessage(message: Uint8Array, format: Format): Buffer {
  return inFormat(frame(0, message), format)
}

/** Writes the end of a response with messages. */
export function writeEnd(format: Format): Buffer {
  return inFormat(trailer('OK', ''), format)
}

/** Writes a response without a message, with an error. */
export function writeError(code: GrpcCode, message: string, format: Format): Buffer {
  return inFormat(trailer(code, message), format)
}

function trailer(code: GrpcCode | 'OK', message: string): Buffer {
  const status = code === 'OK' ? 0 : grpcCodes[code]
  const text = `grpc-status: ${status}\r\n${message === '' ? '' : `grpc-message: ${encodeURIComponent(message)}\r\n`}`
  return frame(trailerFlag, Buffer.from(text, 'latin1'))
}

function frame(flag: number, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(headerLength)
  header[0] = flag
  header.writeUInt32BE(payload.length, 1)
  return Buffer.concat([header, payload])
}

function inFormat(bytes: Buffer, format: Format): Buffer {
  return format === 'text' ? Buffer.from(bytes.toString('base64'), 'latin1') : bytes
}
