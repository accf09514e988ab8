/* Which part of the plane is seen, in the room that the cards leave. */

function makeCamera(canvas) {
  const camera = { x: 0, y: 0, scale: 1, goal: null, toScreen, toPlane, zoomAt, flyTo, fit, step };
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  return camera;

  function middle() {
    const wide = canvas.clientWidth > 760, open = document.body.classList.contains("chosen");
    const left = wide ? 344 : 0, right = wide && open ? 412 : 0;
    const height = canvas.clientHeight;
    return [(left + canvas.clientWidth - right) / 2, wide || !open ? height / 2 : height * 0.32, canvas.clientWidth - left - right];
  }

  function toScreen(px, py) {
    const [mx, my] = middle();
    return [(px - camera.x) * camera.scale + mx, (py - camera.y) * camera.scale + my];
  }

  function toPlane(sx, sy) {
    const [mx, my] = middle();
    return [(sx - mx) / camera.scale + camera.x, (sy - my) / camera.scale + camera.y];
  }

  function zoomAt(sx, sy, factor) {
    const before = toPlane(sx, sy);
    camera.goal = null;
    camera.scale = Math.min(8, Math.max(0.03, camera.scale * factor));
    const after = toPlane(sx, sy);
    camera.x += before[0] - after[0];
    camera.y += before[1] - after[1];
  }

  function flyTo(x, y, scale) {
    camera.goal = { x, y, scale };
    if (still) { Object.assign(camera, camera.goal); camera.goal = null; }
  }

  function fit(points, jump, closest = 2.2) {
    if (!points.length) return;
    let left = Infinity, right = -Infinity, top = Infinity, bottom = -Infinity;
    for (const [px, py] of points) {
      left = Math.min(left, px); right = Math.max(right, px);
      top = Math.min(top, py); bottom = Math.max(bottom, py);
    }
    const [, , width] = middle(), height = canvas.clientHeight;
    const scale = Math.min((width - 90) / (right - left + 40), (height - 110) / (bottom - top + 40), closest);
    flyTo((left + right) / 2, (top + bottom) / 2, Math.max(scale, 0.03));
    if (jump && camera.goal) { Object.assign(camera, camera.goal); camera.goal = null; }
  }

  /* One step of a flight; true while it goes on. */
  function step() {
    const goal = camera.goal;
    if (!goal) return false;
    for (const key of ["x", "y", "scale"]) camera[key] += (goal[key] - camera[key]) * 0.16;
    const near = Math.abs(goal.x - camera.x) + Math.abs(goal.y - camera.y) < 0.4 / camera.scale;
    if (near && Math.abs(goal.scale / camera.scale - 1) < 0.004) { Object.assign(camera, goal); camera.goal = null; }
    return true;
  }
}
