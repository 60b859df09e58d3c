// Sends the traces of the service to a collector of OpenTelemetry, in each worker. Put this file beside svc.config.json, and there:
//   npm install @opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/context-async-hooks @opentelemetry/core @opentelemetry/resources @opentelemetry/exporter-trace-otlp-http
//   NODE_OPTIONS="--import ./traces.mjs" OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npx svc start
import { context, propagation, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace'

const { OTEL_SERVICE_NAME = 'staking', OTEL_TRACES_SAMPLER_ARG = '0.1' } = process.env

context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
propagation.setGlobalPropagator(new W3CTraceContextPropagator())
trace.setGlobalTracerProvider(
  new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': OTEL_SERVICE_NAME }),
    // One request in ten, and whatever an own proxy has sampled.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(Number(OTEL_TRACES_SAMPLER_ARG)) }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter() })],
  }),
)
