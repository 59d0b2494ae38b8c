(function () {
  'use strict';
  var LEFT = 10, COLUMN = 6.63, NS = 'http://www.w3.org/2000/svg';
  var svg = document.getElementById('f').ownerSVGElement;
  var least = svg.viewBox.baseVal.width, height = svg.viewBox.baseVal.height;
  var span = least - 2 * LEFT;
  var found = document.getElementById('s');
  var boxes = [].map.call(document.querySelectorAll('#f > g'), function (g) {
    var rect = g.querySelector('rect');
    return {
      g: g, rect: rect, text: g.querySelector('text'),
      name: g.querySelector('title').textContent.split('\n')[0],
      x: +rect.getAttribute('x'), y: +rect.getAttribute('y'),
      w: +rect.getAttribute('width'), fill: rect.getAttribute('fill')
    };
  });
  var all = boxes[0], zoomed = all;

  function label(box, x, w) {
    var room = Math.floor((w - 6) / COLUMN);
    if (!box.text) {
      if (room < 3) return;
      box.text = document.createElementNS(NS, 'text');
      box.text.setAttribute('y', box.y + 12);
      box.g.appendChild(box.text);
    }
    box.text.setAttribute('x', x + 3);
    box.text.textContent = room < 3 ? '' :
      box.name.length <= room ? box.name : box.name.slice(0, room - 2) + '..';
  }

  function place(box, to) {
    var above = box.y < to.y && box.x <= to.x + 0.01 && box.x + box.w >= to.x + to.w - 0.01;
    var inside = box.y >= to.y && box.x >= to.x - 0.01 && box.x + box.w <= to.x + to.w + 0.01;
    var scale = span / to.w;
    var x = above ? LEFT : LEFT + (box.x - to.x) * scale;
    var w = above ? span : box.w * scale;
    box.g.style.display = above || inside ? '' : 'none';
    box.g.style.opacity = above && to !== all ? 0.6 : 1;
    if (!above && !inside) return;
    box.rect.setAttribute('x', x);
    box.rect.setAttribute('width', w);
    label(box, x, w);
  }

  function zoom(to) {
    zoomed = to === zoomed ? all : to;
    boxes.forEach(function (box) { place(box, zoomed); });
  }

  function fit() {
    var width = Math.max(least, svg.clientWidth || window.innerWidth);
    svg.setAttribute('viewBox', '0 0 ' + width + ' ' + height);
    found.setAttribute('x', width - LEFT);
    span = width - 2 * LEFT;
    boxes.forEach(function (box) { place(box, zoomed); });
  }

  function search() {
    var words = window.prompt('Functions that match (a regular expression; empty: none)', '');
    var pattern, sum = 0, end = -1;
    if (words === null) return;
    try { pattern = words && new RegExp(words); } catch (e) { window.alert(e.message); return; }
    boxes.forEach(function (box) {
      box.hit = pattern && box !== all && pattern.test(box.name);
      box.rect.setAttribute('fill', box.hit ? '#e040fb' : box.fill);
    });
    boxes.filter(function (box) { return box.hit; }).sort(function (a, b) {
      return a.x - b.x || b.w - a.w;
    }).forEach(function (box) {
      if (box.x + box.w <= end + 0.001) return;
      sum += box.x + box.w - Math.max(box.x, end);
      end = box.x + box.w;
    });
    found.textContent = pattern ? words + ': ' + (100 * sum / all.w).toFixed(1) + ' %' :
      'search: click here or press /';
  }

  boxes.forEach(function (box) {
    box.g.style.cursor = 'pointer';
    box.g.addEventListener('click', function () { zoom(box); });
  });
  found.textContent = 'search: click here or press /';
  fit();
  window.addEventListener('resize', fit);
  found.style.cursor = 'pointer';
  found.addEventListener('click', search);
  window.addEventListener('keydown', function (event) {
    if (event.key === '/') { event.preventDefault(); search(); }
    if (event.key === 'Escape') { zoomed = null; zoom(all); }
  });
})();
