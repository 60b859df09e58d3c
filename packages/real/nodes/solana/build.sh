#!/bin/sh
# Builds the test validator of Agave into the folder that is given. Versions and checksums of all that it is made of are those of the release's own Cargo.lock (--locked).
# It takes 40 minutes on two cores, and wants what Debian calls clang, libclang-dev, llvm, libudev-dev, libssl-dev, pkg-config, protobuf-compiler and cmake.
set -eu
export CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=1 CARGO_PROFILE_RELEASE_DEBUG=0
exec cargo install --locked --root "$1" --bin solana-test-validator agave-validator@3.1.10
