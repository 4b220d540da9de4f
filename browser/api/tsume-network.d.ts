// SPDX-License-Identifier: GPL-3.0-or-later
// Type of tsume-network.js, which scripts/wasm makes.
declare const TsumeNetwork: import("./tsume").TsumeNetworkData;
export = TsumeNetwork;
