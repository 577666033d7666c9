// Where a player stands among the frames of its run, and whether it goes on by itself.

import { answer } from "../lib/answer.js";

// Whether the frames after the one that asks may be seen; who plays or steps on wants to see them.
export function mayLook(player) {
  return !isCovered(player) || answer.reveal();
}

export const isCovered = ({ data }) => data.asks && answer.isHidden();

export function seek(player, frame) {
  if (frame <= player.frame || mayLook(player)) restAt(player, frame);
}

export const step = (player, by) => seek(player, placeOf(player) + by);

// A step may be on its way to a frame that has not come yet, and the next one goes on from there.
const placeOf = ({ wanted, frame }) => (Number.isFinite(wanted) ? wanted : frame);

export function restAt(player, frame) {
  player.playing = false;
  player.wanted = frame < player.shown.count || player.shown.over ? null : frame;
  player.frame = player.position = Math.max(0, Math.min(frame, player.shown.count - 1));
  player.host.invalidate(player);
}

export const isMoving = ({ playing, wanted }) => playing || wanted === Infinity;

export function togglePlay(player) {
  const { shown: run, frame } = player;
  player.playing = !isMoving(player);
  player.goal = Infinity;
  player.wanted = null;
  if (player.playing && run.over && frame >= run.count - 1) player.position = 0;
  player.host.invalidate(player);
}

export function follow(player) {
  player.wanted = Infinity;
  player.playing = false;
  player.host.invalidate(player);
}
