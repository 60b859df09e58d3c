export { type Config, type ConfiguredProtocol, readConfig, type StartOptions } from './config.ts'
export { type HttpOptions, type HttpServer, serveHttp } from './http.ts'
export type { ServiceOptions } from './protocols.ts'
export { createMcp, type McpOptions } from './server.ts'
