// SPDX-License-Identifier: GPL-3.0-or-later
// Sounds of moves, synthesised: knocks of wood and soft tones. settings.js loads them when the user wants them.
"use strict";

/** @typedef {"move" | "capture" | "wrong" | "mate"} Sound */

const TsumeSound = (function () {
  const [KNOCK, TONE] = [0.07, 0.35]; // seconds
  /**
   * By sound its knocks (start in seconds, frequency of the wood, volume) and its tones (start, frequency, volume).
   * @type {Record<Sound, {knocks: number[][], tones: number[][]}>}
   */
  const SOUNDS = {
    move: { knocks: [[0, 1500, 0.8]], tones: [] },
    capture: { knocks: [[0, 900, 0.9], [0.05, 1900, 0.6]], tones: [] },
    wrong: { knocks: [], tones: [[0, 196, 0.2]] },
    mate: { knocks: [], tones: [[0.15, 523, 0.14], [0.27, 659, 0.14], [0.39, 784, 0.16]] },
  };
  /** @type {AudioContext | null} */
  let context = null;

  /**
   * Plays a sound if the browser can. Call it for what the user did: before that browsers
   * allow no sound.
   * @param {Sound} name
   */
  function play(name) {
    if (!("AudioContext" in window)) return;
    context ||= new AudioContext();
    if (context.state === "suspended") context.resume().catch(() => {});
    const { knocks, tones } = SOUNDS[name];
    for (const [start, frequency, volume] of knocks) knock(context, context.currentTime + start, frequency, volume);
    for (const [start, frequency, volume] of tones) tone(context, context.currentTime + start, frequency, volume);
  }

  /**
   * A burst of noise through a filter: wood on wood.
   * @param {AudioContext} audio
   * @param {number} at
   * @param {number} frequency
   * @param {number} volume
   */
  function knock(audio, at, frequency, volume) {
    const buffer = audio.createBuffer(1, Math.ceil(KNOCK * audio.sampleRate), audio.sampleRate);
    const samples = buffer.getChannelData(0);
    samples.forEach((_, index) => { samples[index] = Math.random() * 2 - 1; });
    const [source, filter] = [audio.createBufferSource(), audio.createBiquadFilter()];
    source.buffer = buffer;
    filter.type = "bandpass";
    filter.frequency.value = frequency;
    filter.Q.value = 2;
    source.connect(filter).connect(fading(audio, at, volume, KNOCK));
    source.start(at);
  }

  /** @param {AudioContext} audio @param {number} at @param {number} frequency @param {number} volume */
  function tone(audio, at, frequency, volume) {
    const source = audio.createOscillator();
    source.frequency.value = frequency;
    source.connect(fading(audio, at, volume, TONE));
    source.start(at);
    source.stop(at + TONE);
  }

  /**
   * A volume that falls to silence.
   * @param {AudioContext} audio
   * @param {number} at
   * @param {number} volume
   * @param {number} seconds
   */
  function fading(audio, at, volume, seconds) {
    const faded = audio.createGain();
    faded.gain.setValueAtTime(volume, at);
    faded.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    faded.connect(audio.destination);
    return faded;
  }

  return { play };
})();
