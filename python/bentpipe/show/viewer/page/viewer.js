/*! Bentpipe's viewer: MIT OR Apache-2.0. Coastline: Natural Earth, public domain. In it:

three
The MIT License

Copyright © 2010-2026 three.js authors

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.

uplot
The MIT License (MIT)

Copyright (c) 2022 Leon Sorokin

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
*/
function fu(i){let e=new URLSearchParams(i.replace(/^#/,"")),t={},n=h=>{let u=e.get(h);return u!==null&&/^\d+$/.test(u)?Number(u):void 0},s=Number(e.get("t")??Number.NaN);Number.isFinite(s)&&s>=0&&(t.time=s);let r=n("run");r!==void 0&&(t.run=r);let o=e.get("flow");o!==null&&/^\d+(,\d+)*$/.test(o)&&(t.flows=o.split(",").map(Number));let a=n("node"),l=e.get("link");a!==void 0?t.picked={kind:"node",id:a}:l!==null&&/^\d+-\d+$/.test(l)&&(t.picked={kind:"line",key:l.replace("-"," ")}),e.get("view")==="map"&&(t.map=!0);let c=e.get("mesh");return(c==="on"||c==="off")&&(t.mesh=c==="on"),e.get("shot")==="1"&&(t.shot=!0),t}function pu(i){let e=[`t=${Number(i.time.toFixed(6))}`];return i.flows.length>0&&e.push(`flow=${i.flows.join(",")}`),e.push(`run=${i.run}`),i.picked?.kind==="node"&&e.push(`node=${i.picked.id}`),i.picked?.kind==="line"&&e.push(`link=${i.picked.key.replace(" ","-")}`),i.projection==="map"&&e.push("view=map"),i.mesh!==null&&e.push(`mesh=${i.mesh?"on":"off"}`),i.shot&&e.push("shot=1"),`#${e.join("&")}`}function q(i,e={},...t){let n=document.createElement(i);for(let[s,r]of Object.entries(e))typeof r=="function"?n.addEventListener(s,r):r===!0?n.setAttribute(s,""):r!==null&&r!==!1&&n.setAttribute(s,String(r));for(let s of t)s!==null&&n.append(s);return n}function wt(i,e){i.textContent!==e&&(i.textContent=e)}function Yn(i){let e=document.getElementById(i);if(!e)throw new Error(`the page has no #${i}`);return e}function bt(i){return i*Number.parseFloat(getComputedStyle(document.documentElement).fontSize)}var Xo={cwnd:"cwnd",ssthresh:"ssthresh",in_flight:"in flight",pacing_rate:"pacing rate",delivery_rate:"delivery rate",rtt:"RTT",propagation_rtt:"propagation RTT",queue:"queue",utilisation:"utilisation",losses:"losses",elevation:"elevation",range:"range",flows:"flows through this node"},lr={queue:"full queue",error:"link error",outage:"outage",policer:"policer",too_large:"larger than the MTU",none:"spurious retransmission"};function mu(i){return i==="none"?lr.none:`lost: ${lr[i]}`}function _n(i){if(i==null||Number.isNaN(i))return"–";let e=Math.abs(i);return e>=1e4?Math.round(i).toLocaleString("en").replaceAll(","," "):e>=100||Number.isInteger(i)?i.toFixed(e>=1e3||Number.isInteger(i)?0:1):e>=1?i.toFixed(2):i===0?"0":i.toPrecision(3)}function Ji(i,e){return i.toFixed(e>2e3?1:e>20?2:3)}function gu(i,e){return`${`${Math.abs(i).toFixed(1)}° ${i<0?"S":"N"}`}, ${Math.abs(e).toFixed(1)}° ${e<0?"W":"E"}`}function Gr({start_s:i,end_s:e,completed:t},n,s){return n<i?`starts at ${Ji(i,s)} s`:e===null||n<=e||e>=s&&!t?null:`${t?"finished":"stopped"} at ${Ji(e,s)} s`}function op(i,e){return i?`${new Date(Date.parse(i)+e*1e3).toISOString().slice(0,19).replace("T"," ")} UTC`:""}function qo(i,e=5){return i.length===0?"not connected":i.length<=e?i.join(" → "):`${i[0]} → ${i.length-2} nodes → ${i[i.length-1]}`}var Pg=["#0072b2","#d55e00","#009e73","#cc79a7","#e69f00","#56b4e9"],Ig=["#56b4e9","#e69f00","#2fd1a5","#e79ac6","#f0e442","#d55e00"];function Zt(){let i=getComputedStyle(document.documentElement),e=s=>i.getPropertyValue(`--${s}`).trim(),n=Object.fromEntries(["ink","muted","grid","ground","ocean","land","coast","night","space","satellite","link","site"].map(s=>[s,e(s)]));return{dark:e("scheme")==="dark",...n}}function Ln(i,e){let t=e?Ig:Pg;return t[i%t.length]}function _u(i,e){return Ln({queue:1,error:3,outage:0,policer:4,too_large:5,none:2}[i],e)}var tl=[[150,165,176],[228,160,122],[222,88,60],[168,8,30]];function yu(i){let e=Math.min(Math.max(i,0),1)*(tl.length-1),t=Math.min(Math.floor(e),tl.length-2),n=e-t,s=r=>(tl[t][r]*(1-n)+tl[t+1][r]*n)/255;return[s(0),s(1),s(2)]}function cr(i){let[e,t,n]=yu(i).map(s=>Math.round(s*255));return`rgb(${e} ${t} ${n})`}var ap=new WeakMap;function $o(i){let e=ap.get(i);if(e!==void 0)return e;let t=0,n=!0;for(let s of i.curves){if(s.link===null||s.quantity!=="queue")continue;let r=s.coarsest;n&&=r!==null;for(let o of r?.high??[])o>t&&(t=o)}return n&&ap.set(i,t),t}function nl(i,e,t,n){if(t==="none")return null;let s=null;for(let r of e.links){let a=i.curveOfLink(r.id,t)?.at(n)??null;if(a===null)continue;let l=t==="queue"?$o(i)||1:100,c=a/l;s=Math.max(s??0,c)}return s}var Fs=6356.752314245,Yo=1-Fs*Fs/(6378.137*6378.137),Li=Math.PI/180;function Us(i,e,t){let[n,s]=[Math.sin(i*Li),Math.cos(i*Li)],r=6378.137/Math.sqrt(1-Yo*n*n);return[(r+t)*s*Math.cos(e*Li),(r+t)*s*Math.sin(e*Li),(r*(1-Yo)+t)*n]}function Hr(i,e,t){let n=Math.hypot(i,e),s=Math.atan2(t*6378.137,n*Fs),r=6378.137*6378.137/(Fs*Fs)-1,o=Math.atan2(t+r*Fs*Math.sin(s)**3,n-Yo*6378.137*Math.cos(s)**3),a=6378.137/Math.sqrt(1-Yo*Math.sin(o)**2),l=n*Math.cos(o)+t*Math.sin(o)-a*(1-Yo*Math.sin(o)**2);return{latitude_deg:o/Li,longitude_deg:Math.atan2(e,i)/Li,altitude_km:l}}function il(i){let e=i.getTime()/864e5-10957.5,t=(357.528+.9856003*e)*Li,s=(280.46+.9856474*e+1.915*Math.sin(t)+.02*Math.sin(2*t))*Li,r=(23.439-4e-7*e)*Li,o=Math.atan2(Math.cos(r)*Math.sin(s),Math.cos(s))/Li,a=280.46062+360.985647366*e;return{latitude_deg:Math.asin(Math.sin(r)*Math.sin(s))/Li,longitude_deg:xu(o-a)}}function xu(i){return((i+180)%360+360)%360-180}function fs(i){return i==="site"||i==="gateway"||i==="pop"}var Lg=2e3;function Zo(i,e){return e??(i.positions?.satellites.length??0)<=Lg}function rl(i,e){return e*Math.min(1,Math.max(.3,3e3/(i||1)))}var sl=class{constructor(e){this.run=e;this.xyz=new Float32Array(e.file.nodes.length*3),this.moving=new Float32Array((e.positions?.satellites.length??0)*3);for(let[n,s]of e.file.nodes.entries())typeof s.latitude_deg!="number"||typeof s.longitude_deg!="number"||this.xyz.set(Us(s.latitude_deg,s.longitude_deg,s.altitude_km??0),n*3);let t=n=>e.lines.filter(s=>s.links.some(r=>e.curveOfLink(r.id,n)));this.recorded={utilisation:t("utilisation"),queue:t("queue"),none:[]}}run;xyz;satellites=new Uint32Array(0);lines=[];ends=new Uint32Array(0);ways=new Map;full=[];version=0;moving;recorded;hidden=null;meshed=null;update(e){let{run:t}=this,n=Zo(t,e.mesh);if((this.hidden!==e.hiddenShells||this.meshed!==n)&&this.choose(e.hiddenShells,n),t.positions){t.positions.at(e.time,this.moving);for(let[r,o]of t.positions.satellites.entries()){let a=t.place.get(o)*3;this.xyz[a]=this.moving[r*3],this.xyz[a+1]=this.moving[r*3+1],this.xyz[a+2]=this.moving[r*3+2]}}this.ways.clear();for(let[r,o]of t.paths){let{start_s:a,end_s:l}=t.flow.get(r)??{start_s:0,end_s:null},c=e.time>=a&&e.time<=(l??Number.POSITIVE_INFINITY);this.ways.set(r,c?o.at(e.time):{now:null,before:null})}let s=this.linesOnPaths();this.full=[];for(let r of this.recorded[e.tint]){if(!s.has(r.key))continue;let o=nl(t,r,e.tint,e.time);o!==null&&this.full.push({line:r,share:o})}}linesOnPaths(){let e=new Set;for(let{now:t}of this.ways.values())for(let n=1;n<(t?.nodes.length??0);n++){let s=this.run.line(t.nodes[n-1],t.nodes[n]);s&&e.add(s.key)}return e}hops(e){let t=new Map;for(let n of e)for(let s of this.ways.get(n)?.now?.nodes??[])t.has(s)||t.set(s,n);return[...t].map(([n,s])=>({id:n,flow:s}))}choose(e,t){let{run:n}=this,s=r=>{let{kind:o,shell:a}=n.node(r);return o!=="satellite"||!e.includes(a??0)};this.hidden=e,this.meshed=t,this.satellites=Uint32Array.from((n.positions?.satellites??[]).filter(s).map(r=>n.place.get(r))),this.lines=t?n.lines.filter(r=>r.always&&s(r.a)&&s(r.b)):[],this.ends=Uint32Array.from(this.lines.flatMap(({a:r,b:o})=>[n.place.get(r),n.place.get(o)])),this.version++}};var Dg=500,Wr=Math.PI/180,Xr=class{constructor(e,t,n){this.unit=e;this.duration=t;this.at=n}unit;duration;at;step=!1;between(e,t,n){let[s,r]=[Math.max(e,0),Math.min(t,this.duration)],o=Math.max(2,Math.min(n,Dg)),a=Float64Array.from({length:o},(c,h)=>s+(r-s)*h/(o-1)),l=Float32Array.from(a,c=>this.at(c)??Number.NaN);return{level:{time:a,low:l,high:l},first:0,end:o}}};function Ng({latitude_deg:i,longitude_deg:e,altitude_km:t},n){let[s,r]=[i,e],o=Us(s,r,t??0),[a,l,c]=[n[0]-o[0],n[1]-o[1],n[2]-o[2]],h=[Math.cos(s*Wr)*Math.cos(r*Wr),Math.cos(s*Wr)*Math.sin(r*Wr),Math.sin(s*Wr)],u=Math.hypot(a,l,c);return{elevation_deg:Math.asin((a*h[0]+l*h[1]+c*h[2])/u)/Wr,range_km:u}}function ol(i,e,t){let n=s=>{let r=i.flow.get(s);return r!==void 0&&(r.from===e||r.to===e)&&i.paths.has(s)};return[...t,...i.flow.keys()].find(n)??null}function al(i,e,t,n){let s=i.paths.get(t)?.way(i.paths.get(t).number(n))?.nodes;if(!s||s.length<2||!i.positions)return null;let r=i.flow.get(t)?.from===e?s[1]:s[s.length-2],o=i.node(e),a=i.positions.of(r,n);return!a||Number.isNaN(a[0])||!fs(o.kind)||typeof o.latitude_deg!="number"?null:{satellite:r,...Ng(o,a)}}function lp(i,e,t){let n=0;for(let[s,r]of i.paths){let{start_s:o,end_s:a}=i.flow.get(s)??{start_s:0,end_s:null};t<o||t>(a??Number.POSITIVE_INFINITY)||r.way(r.number(t))?.nodes.includes(e)&&n++}return n}var Fg=[{name:"window",title:"Window",of:[["cwnd","solid"],["ssthresh","dashed"],["in_flight","thin"]]},{name:"rate",title:"Rate",of:[["delivery_rate","solid"],["pacing_rate","dashed"]]},{name:"rtt",title:"Round trip",of:[["rtt","solid"],["propagation_rtt","dashed"]]},{name:"queue",title:"Queueing delay",of:[["queue","solid"]]},{name:"losses",title:"Losses",of:[["losses","solid"]]}],Ug=8;function cp(i,{overlaid:e,flows:t},{line:n,node:s},r){let o=s?Bg(s.run,s.id,t):[],a=e.length*t.length>1,l=(h,u)=>e.length>1?e.indexOf(h)*t.length+u:u,c=(h,u)=>{let d=[];return e.length>1&&d.push(i[h].file.name),(t.length>1||d.length===0)&&d.push(i[h].flow.get(u)?.name??`flow ${u}`),d.join(" · ")};for(let{name:h,title:u,of:d}of Fg){let f=[];for(let x of e)for(let[g,p]of t.entries())for(let[b,[A,w]]of d.entries()){let P=i[x]?.curveOfFlow(p,A);if(!P||A==="losses"&&i[x].file.losses.some(y=>y.flow===p)||P.empty&&A!=="ssthresh"||A==="losses"&&!Og(P))continue;let T=a?`${Xo[A]}, ${c(x,p)}`:Xo[A];f.push({label:T,key:Xo[A],run:x,flow:p,quantity:A,curve:P,colour:a?l(x,g):b,stroke:w})}let m=f[0]?.curve.unit??"";f.length>0&&o.push({name:h,title:u,unit:m,many:a,series:f.filter(x=>x.curve.unit===m)})}return o.push(...kg(i,e,n,r)),o}function Og(i){return i.coarsest?.high.some(e=>e>0)??!1}function kg(i,e,t,n){let s=[];for(let r of["queue","utilisation"]){let o=[];for(let l of e){let c=t??n(i[l]);if(!c)continue;let h=(i[l].lineOf.get(c.key)??c).links;for(let[u,d]of h.entries()){let f=i[l].curveOfLink(d.id,r);if(!f)continue;let m=e.length>1?`${d.name}, ${i[l].file.name}`:d.name,x=e.length>1?e.indexOf(l):u;o.push({label:m,key:d.name,run:l,flow:null,quantity:r,curve:f,colour:x,stroke:u===0?"solid":"dashed"})}}let a=r==="queue"?"Queue of the link":"Utilisation of the link";o.length>0&&s.push({name:`link-${r}`,title:a,unit:o[0].curve.unit,many:e.length>1,series:o})}return s}function Bg(i,e,t){let{duration_s:n}=i.file,s=(c,h,u=Xo[c],d=0)=>({label:u,key:u,run:0,flow:null,quantity:c,curve:h,colour:d,stroke:"solid"}),r=[],o=(c,h,u)=>{u.length>0&&r.push({name:c,title:h,unit:u[0].curve.unit,many:u.length>1,series:u})},a=ol(i,e,t);if(a!==null&&i.positions){let c=d=>al(i,e,a,d),h=new Xr("deg",n,d=>c(d)?.elevation_deg??null),u=new Xr("km",n,d=>c(d)?.range_km??null);o("elevation","Elevation of the satellite in use",[s("elevation",h)]),o("range","Range to the satellite in use",[s("range",u)])}let l=i.file.links.flatMap(({id:c,name:h,from:u,to:d})=>{let f=u===e||d===e?i.curveOfLink(c,"utilisation"):null;return f?[{name:h,curve:f,peak:Math.max(0,...f.coarsest?.high??[])||0}]:[]}).sort((c,h)=>h.peak-c.peak).slice(0,Ug);if(o("node-utilisation","Utilisation of its links",l.map(({name:c,curve:h},u)=>s("utilisation",h,c,u))),l.length>0){let c=new Xr("",n,h=>lp(i,e,h));o("node-flows","Flows through this node",[s("flows",c)])}return r}function hp(i,e,t){let n=i.paths.get(e)?.at(t).now?.nodes,s=n?[...n].slice(1).map((a,l)=>i.line(n[l],a)):i.lines,r=null,o=-1;for(let a of s)for(let l of a?.links??[]){let c=i.curveOfLink(l.id,"queue");if(!c)continue;let h=c.coarsest?.high??new Float32Array(0),u=h.reduce((d,f)=>d+(f||0),0)/(h.length||1);u>o&&([r,o]=[a,u])}return r}function vu(i,e){return Ln(i.colour,e)}var zg="uplot",Vg="u-hz",Gg="u-vt",Hg="u-title",Wg="u-wrap",Xg="u-under",qg="u-over",$g="u-axis",dr="u-off",Yg="u-select",Zg="u-cursor-x",Kg="u-cursor-y",Jg="u-cursor-pt",jg="u-legend",Qg="u-live",e_="u-inline",t_="u-series",n_="u-marker",up="u-label",i_="u-value",Jo="width",jo="height";var dp="bottom",qr="left",bu="right",ku="#000",fp=ku+"0",Su="mousemove",pp="mousedown",Mu="mouseup",mp="mouseenter",gp="mouseleave",_p="dblclick",s_="resize",r_="scroll",yp="change",dl="dppxchange",Bu="--",Qr=typeof window<"u",Ru=Qr?document:null,Yr=Qr?window:null,o_=Qr?navigator:null,Et,ll;function Cu(){let i=devicePixelRatio;Et!=i&&(Et=i,ll&&Iu(yp,ll,Cu),ll=matchMedia(`(min-resolution: ${Et-.001}dppx) and (max-resolution: ${Et+.001}dppx)`),fr(yp,ll,Cu),Yr.dispatchEvent(new CustomEvent(dl)))}function hi(i,e){if(e!=null){let t=i.classList;!t.contains(e)&&t.add(e)}}function Pu(i,e){let t=i.classList;t.contains(e)&&t.remove(e)}function Wt(i,e,t){i.style[e]=t+"px"}function Di(i,e,t,n){let s=Ru.createElement(i);return e!=null&&hi(s,e),t?.insertBefore(s,n),s}function wi(i,e){return Di("div",i,e)}var xp=new WeakMap;function ji(i,e,t,n,s){let r="translate("+e+"px,"+t+"px)",o=xp.get(i);r!=o&&(i.style.transform=r,xp.set(i,r),e<0||t<0||e>n||t>s?hi(i,dr):Pu(i,dr))}var vp=new WeakMap;function bp(i,e,t){let n=e+t,s=vp.get(i);n!=s&&(vp.set(i,n),i.style.background=e,i.style.borderColor=t)}var Sp=new WeakMap;function Mp(i,e,t,n){let s=e+""+t,r=Sp.get(i);s!=r&&(Sp.set(i,s),i.style.height=t+"px",i.style.width=e+"px",i.style.marginLeft=n?-e/2+"px":0,i.style.marginTop=n?-t/2+"px":0)}var zu={passive:!0},a_={...zu,capture:!0};function fr(i,e,t,n){e.addEventListener(i,t,n?a_:zu)}function Iu(i,e,t,n){e.removeEventListener(i,t,zu)}Qr&&Cu();function Ni(i,e,t,n){let s;t=t||0,n=n||e.length-1;let r=n<=2147483647;for(;n-t>1;)s=r?t+n>>1:ui((t+n)/2),e[s]<i?t=s:n=s;return i-e[t]<=e[n]-i?t:n}function Jp(i){return(t,n,s)=>{let r=-1,o=-1;for(let a=n;a<=s;a++)if(i(t[a])){r=a;break}for(let a=s;a>=n;a--)if(i(t[a])){o=a;break}return[r,o]}}var jp=i=>i!=null,Qp=i=>i!=null&&i>0,ml=Jp(jp),l_=Jp(Qp);function c_(i,e,t,n=0,s=!1){let r=s?l_:ml,o=s?Qp:jp;[e,t]=r(i,e,t);let a=i[e],l=i[e];if(e>-1)if(n==1)a=i[e],l=i[t];else if(n==-1)a=i[t],l=i[e];else for(let c=e;c<=t;c++){let h=i[c];o(h)&&(h<a?a=h:h>l&&(l=h))}return[a??Ut,l??-Ut]}function gl(i,e,t,n){let s=Tp(i),r=Tp(e);i==e&&(s==-1?(i*=t,e/=t):(i/=t,e*=t));let o=t==10?ps:em,a=s==1?ui:Ei,l=r==1?Ei:ui,c=a(o(xn(i))),h=l(o(xn(e))),u=Zr(t,c),d=Zr(t,h);return t==10&&(c<0&&(u=Ot(u,-c)),h<0&&(d=Ot(d,-h))),n||t==2?(i=u*s,e=d*r):(i=sm(i,u),e=_l(e,d)),[i,e]}function Vu(i,e,t,n){let s=gl(i,e,t,n);return i==0&&(s[0]=0),e==0&&(s[1]=0),s}var Gu=.1,wp={mode:3,pad:Gu},ea={pad:0,soft:null,mode:0},h_={min:ea,max:ea};function fl(i,e,t,n){return yl(t)?Ep(i,e,t):(ea.pad=t,ea.soft=n?0:null,ea.mode=n?3:0,Ep(i,e,h_))}function St(i,e){return i??e}function u_(i,e,t){for(e=St(e,0),t=St(t,i.length-1);e<=t;){if(i[e]!=null)return!0;e++}return!1}function Ep(i,e,t){let n=t.min,s=t.max,r=St(n.pad,0),o=St(s.pad,0),a=St(n.hard,-Ut),l=St(s.hard,Ut),c=St(n.soft,Ut),h=St(s.soft,-Ut),u=St(n.mode,0),d=St(s.mode,0),f=e-i,m=ps(f),x=Zn(xn(i),xn(e)),g=ps(x),p=xn(g-m);(f<1e-24||p>10)&&(f=0,(i==0||e==0)&&(f=1e-24,u==2&&c!=Ut&&(r=0),d==2&&h!=-Ut&&(o=0)));let b=f||x||1e3,A=ps(b),w=Zr(10,ui(A)),P=b*(f==0?i==0?.1:1:r),T=Ot(sm(i-P,w/10),24),y=i>=c&&(u==1||u==3&&T<=c||u==2&&T>=c)?c:Ut,E=Zn(a,T<y&&i>=y?y:Fi(y,T)),z=b*(f==0?e==0?.1:1:o),N=Ot(_l(e+z,w/10),24),L=e<=h&&(d==1||d==3&&N>=h||d==2&&N<=h)?h:-Ut,H=Fi(l,N>L&&e<=L?L:Zn(L,N));return E==H&&E==0&&(H=100),[E,H]}var d_=new Intl.NumberFormat(Qr?o_.language:"en-US"),Hu=i=>d_.format(i),di=Math,ul=di.PI,xn=di.abs,ui=di.floor,yn=di.round,Ei=di.ceil,Fi=di.min,Zn=di.max,Zr=di.pow,Tp=di.sign,ps=di.log10,em=di.log2,f_=(i,e=1)=>di.sinh(i)*e,wu=(i,e=1)=>di.asinh(i/e),Ut=1/0;function Ap(i){return(ps((i^i>>31)-(i>>31))|0)+1}function Lu(i,e,t){return Fi(Zn(i,e),t)}function tm(i){return typeof i=="function"}function yt(i){return tm(i)?i:()=>i}var p_=()=>{},nm=i=>i,im=(i,e)=>e,m_=i=>null,Rp=i=>!0,Cp=(i,e)=>i==e,g_=/\.\d*?(?=9{6,}|0{6,})/gm,pr=i=>{if(om(i)||ks.has(i))return i;let e=`${i}`,t=e.match(g_);if(t==null)return i;let n=t[0].length-1;if(e.indexOf("e-")!=-1){let[s,r]=e.split("e");return+`${pr(s)}e${r}`}return Ot(i,n)};function hr(i,e){return pr(Ot(pr(i/e))*e)}function _l(i,e){return pr(Ei(pr(i/e))*e)}function sm(i,e){return pr(ui(pr(i/e))*e)}function Ot(i,e=0){if(om(i))return i;let t=10**e,n=i*t*(1+Number.EPSILON);return yn(n)/t}var ks=new Map;function rm(i){return((""+i).split(".")[1]||"").length}function na(i,e,t,n){let s=[],r=n.map(rm);for(let o=e;o<t;o++){let a=xn(o),l=Ot(Zr(i,o),a);for(let c=0;c<n.length;c++){let h=i==10?+`${n[c]}e${o}`:n[c]*l,u=(o>=0?0:a)+(o>=r[c]?0:r[c]),d=i==10?h:Ot(h,u);s.push(d),ks.set(d,u)}}return s}var ta={},Wu=[],Kr=[null,null],Os=Array.isArray,om=Number.isInteger,__=i=>i===void 0;function Pp(i){return typeof i=="string"}function yl(i){let e=!1;if(i!=null){let t=i.constructor;e=t==null||t==Object}return e}function y_(i){return i!=null&&typeof i=="object"}var x_=Object.getPrototypeOf(Uint8Array),am="__proto__";function Jr(i,e=yl){let t;if(Os(i)){let n=i.find(s=>s!=null);if(Os(n)||e(n)){t=Array(i.length);for(let s=0;s<i.length;s++)t[s]=Jr(i[s],e)}else t=i.slice()}else if(i instanceof x_)t=i.slice();else if(e(i)){t={};for(let n in i)n!=am&&(t[n]=Jr(i[n],e))}else t=i;return t}function dn(i){let e=arguments;for(let t=1;t<e.length;t++){let n=e[t];for(let s in n)s!=am&&(yl(i[s])?dn(i[s],Jr(n[s])):i[s]=Jr(n[s]))}return i}var v_=0,b_=1,S_=2;function M_(i,e,t){for(let n=0,s,r=-1;n<e.length;n++){let o=e[n];if(o>r){for(s=o-1;s>=0&&i[s]==null;)i[s--]=null;for(s=o+1;s<t&&i[s]==null;)i[r=s++]=null}}}function w_(i,e){if(A_(i)){let o=i[0].slice();for(let a=1;a<i.length;a++)o.push(...i[a].slice(1));return R_(o[0])||(o=T_(o)),o}let t=new Set;for(let o=0;o<i.length;o++){let l=i[o][0],c=l.length;for(let h=0;h<c;h++)t.add(l[h])}let n=[Array.from(t).sort((o,a)=>o-a)],s=n[0].length,r=new Map;for(let o=0;o<s;o++)r.set(n[0][o],o);for(let o=0;o<i.length;o++){let a=i[o],l=a[0];for(let c=1;c<a.length;c++){let h=a[c],u=Array(s).fill(void 0),d=e?e[o][c]:b_,f=[];for(let m=0;m<h.length;m++){let x=h[m],g=r.get(l[m]);x===null?d!=v_&&(u[g]=x,d==S_&&f.push(g)):u[g]=x}M_(u,f,s),n.push(u)}}return n}var E_=typeof queueMicrotask>"u"?i=>Promise.resolve().then(i):queueMicrotask;function T_(i){let e=i[0],t=e.length,n=Array(t);for(let r=0;r<n.length;r++)n[r]=r;n.sort((r,o)=>e[r]-e[o]);let s=[];for(let r=0;r<i.length;r++){let o=i[r],a=Array(t);for(let l=0;l<t;l++)a[l]=o[n[l]];s.push(a)}return s}function A_(i){let e=i[0][0],t=e.length;for(let n=1;n<i.length;n++){let s=i[n][0];if(s.length!=t)return!1;if(s!=e){for(let r=0;r<t;r++)if(s[r]!=e[r])return!1}}return!0}function R_(i,e=100){let t=i.length;if(t<=1)return!0;let n=0,s=t-1;for(;n<=s&&i[n]==null;)n++;for(;s>=n&&i[s]==null;)s--;if(s<=n)return!0;let r=Zn(1,ui((s-n+1)/e));for(let o=i[n],a=n+r;a<=s;a+=r){let l=i[a];if(l!=null){if(l<=o)return!1;o=l}}return!0}var lm=["January","February","March","April","May","June","July","August","September","October","November","December"],cm=["Sunday","Monday","Tuesday","Wednesday","Thursday","Friday","Saturday"];function hm(i){return i.slice(0,3)}var C_=cm.map(hm),P_=lm.map(hm),I_={MMMM:lm,MMM:P_,WWWW:cm,WWW:C_};function Ko(i){return(i<10?"0":"")+i}function L_(i){return(i<10?"00":i<100?"0":"")+i}var D_={YYYY:i=>i.getFullYear(),YY:i=>(i.getFullYear()+"").slice(2),MMMM:(i,e)=>e.MMMM[i.getMonth()],MMM:(i,e)=>e.MMM[i.getMonth()],MM:i=>Ko(i.getMonth()+1),M:i=>i.getMonth()+1,DD:i=>Ko(i.getDate()),D:i=>i.getDate(),WWWW:(i,e)=>e.WWWW[i.getDay()],WWW:(i,e)=>e.WWW[i.getDay()],HH:i=>Ko(i.getHours()),H:i=>i.getHours(),h:i=>{let e=i.getHours();return e==0?12:e>12?e-12:e},AA:i=>i.getHours()>=12?"PM":"AM",aa:i=>i.getHours()>=12?"pm":"am",a:i=>i.getHours()>=12?"p":"a",mm:i=>Ko(i.getMinutes()),m:i=>i.getMinutes(),ss:i=>Ko(i.getSeconds()),s:i=>i.getSeconds(),fff:i=>L_(i.getMilliseconds())};function Xu(i,e){e=e||I_;let t=[],n=/\{([a-z]+)\}|[^{]+/gi,s;for(;s=n.exec(i);)t.push(s[0][0]=="{"?D_[s[1]]:s[0]);return r=>{let o="";for(let a=0;a<t.length;a++)o+=typeof t[a]=="string"?t[a]:t[a](r,e);return o}}var N_=new Intl.DateTimeFormat().resolvedOptions().timeZone;function F_(i,e){let t;return e=="UTC"||e=="Etc/UTC"?t=new Date(+i+i.getTimezoneOffset()*6e4):e==N_?t=i:(t=new Date(i.toLocaleString("en-US",{timeZone:e})),t.setMilliseconds(i.getMilliseconds())),t}var um=i=>i%1==0,pl=[1,2,2.5,5],U_=na(10,-32,0,pl),dm=na(10,0,32,pl),O_=dm.filter(um),ur=U_.concat(dm),qu=`
`,fm="{YYYY}",Ip=qu+fm,pm="{M}/{D}",Qo=qu+pm,cl=Qo+"/{YY}",mm="{aa}",k_="{h}:{mm}",$r=k_+mm,Lp=qu+$r,Dp=":{ss}",At=null;function gm(i){let e=i*1e3,t=e*60,n=t*60,s=n*24,r=s*30,o=s*365,l=(i==1?na(10,0,3,pl).filter(um):na(10,-3,0,pl)).concat([e,e*5,e*10,e*15,e*30,t,t*5,t*10,t*15,t*30,n,n*2,n*3,n*4,n*6,n*8,n*12,s,s*2,s*3,s*4,s*5,s*6,s*7,s*8,s*9,s*10,s*15,r,r*2,r*3,r*4,r*6,o,o*2,o*5,o*10,o*25,o*50,o*100]),c=[[o,fm,At,At,At,At,At,At,1],[s*28,"{MMM}",Ip,At,At,At,At,At,1],[s,pm,Ip,At,At,At,At,At,1],[n,"{h}"+mm,cl,At,Qo,At,At,At,1],[t,$r,cl,At,Qo,At,At,At,1],[e,Dp,cl+" "+$r,At,Qo+" "+$r,At,Lp,At,1],[i,Dp+".{fff}",cl+" "+$r,At,Qo+" "+$r,At,Lp,At,1]];function h(u){return(d,f,m,x,g,p)=>{let b=[],A=g>=o,w=g>=r&&g<o,P=u(m),T=Ot(P*i,3),y=Eu(P.getFullYear(),A?0:P.getMonth(),w||A?1:P.getDate()),E=Ot(y*i,3);if(w||A){let z=w?g/r:0,N=A?g/o:0,L=T==E?T:Ot(Eu(y.getFullYear()+N,y.getMonth()+z,1)*i,3),H=new Date(yn(L/i)),W=H.getFullYear(),D=H.getMonth();for(let G=0;L<=x;G++){let K=Eu(W+N*G,D+z*G,1),B=K-u(Ot(K*i,3));L=Ot((+K+B)*i,3),L<=x&&b.push(L)}}else{let z=g>=s?s:g,N=ui(m)-ui(T),L=E+N+_l(T-E,z);b.push(L);let H=u(L),W=H.getHours()+H.getMinutes()/t+H.getSeconds()/n,D=g/n,G=d.axes[f]._space,K=p/G;for(;L=Ot(L+g,i==1?0:3),!(L>x);)if(D>1){let B=ui(Ot(W+D,6))%24,Q=u(L).getHours()-B;Q>1&&(Q=-1),L-=Q*n,W=(W+D)%24;let se=b[b.length-1];Ot((L-se)/g,3)*K>=.7&&b.push(L)}else b.push(L)}return b}}return[l,c,h]}var[B_,z_,V_]=gm(1),[G_,H_,W_]=gm(.001);na(2,-53,53,[1]);function Np(i,e){return i.map(t=>t.map((n,s)=>s==0||s==8||n==null?n:e(s==1||t[8]==0?n:t[1]+n)))}function Fp(i,e){return(t,n,s,r,o)=>{let a=e.find(m=>o>=m[0])||e[e.length-1],l,c,h,u,d,f;return n.map(m=>{let x=i(m),g=x.getFullYear(),p=x.getMonth(),b=x.getDate(),A=x.getHours(),w=x.getMinutes(),P=x.getSeconds(),T=g!=l&&a[2]||p!=c&&a[3]||b!=h&&a[4]||A!=u&&a[5]||w!=d&&a[6]||P!=f&&a[7]||a[1];return l=g,c=p,h=b,u=A,d=w,f=P,T(x)})}}function X_(i,e){let t=Xu(e);return(n,s,r,o,a)=>s.map(l=>t(i(l)))}function Eu(i,e,t){return new Date(i,e,t)}function Up(i,e){return e(i)}var q_="{YYYY}-{MM}-{DD} {h}:{mm}{aa}";function Op(i,e){return(t,n,s,r)=>r==null?Bu:e(i(n))}function $_(i,e){let t=i.series[e];return t.width?t.stroke(i,e):t.points.width?t.points.stroke(i,e):null}function Y_(i,e){return i.series[e].fill(i,e)}var Z_={show:!0,live:!0,isolate:!1,mount:p_,markers:{show:!0,width:2,stroke:$_,fill:Y_,dash:"solid"},idx:null,idxs:null,values:[]};function K_(i,e){let t=i.cursor.points,n=wi(),s=t.size(i,e);Wt(n,Jo,s),Wt(n,jo,s);let r=s/-2;Wt(n,"marginLeft",r),Wt(n,"marginTop",r);let o=t.width(i,e,s);return o&&Wt(n,"borderWidth",o),n}function J_(i,e){let t=i.series[e].points;return t._fill||t._stroke}function j_(i,e){let t=i.series[e].points;return t._stroke||t._fill}function Q_(i,e){return i.series[e].points.size}var Tu=[0,0];function ey(i,e,t){return Tu[0]=e,Tu[1]=t,Tu}function hl(i,e,t,n=!0){return s=>{s.button==0&&(!n||s.target==e)&&t(s)}}function Au(i,e,t,n=!0){return s=>{(!n||s.target==e)&&t(s)}}var ty={show:!0,x:!0,y:!0,lock:!1,move:ey,points:{one:!1,show:K_,size:Q_,width:0,stroke:j_,fill:J_},bind:{mousedown:hl,mouseup:hl,click:hl,dblclick:hl,mousemove:Au,mouseleave:Au,mouseenter:Au},drag:{setScale:!0,x:!0,y:!1,dist:0,uni:null,click:(i,e)=>{e.stopPropagation(),e.stopImmediatePropagation()},_x:!1,_y:!1},focus:{dist:(i,e,t,n,s)=>n-s,prox:-1,bias:0},hover:{skip:[void 0],prox:null,bias:0},left:-10,top:-10,idx:null,dataIdx:null,idxs:null,event:null},_m={show:!0,stroke:"rgba(0,0,0,0.07)",width:2},$u=dn({},_m,{filter:im}),ym=dn({},$u,{size:10}),xm=dn({},_m,{show:!1}),Yu='12px system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif, "Apple Color Emoji", "Segoe UI Emoji", "Segoe UI Symbol", "Noto Color Emoji"',vm="bold "+Yu,bm=1.5,kp={show:!0,scale:"x",stroke:ku,space:50,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:vm,side:2,grid:$u,ticks:ym,border:xm,font:Yu,lineGap:bm,rotate:0},ny="Value",iy="Time",Bp={show:!0,scale:"x",auto:!1,sorted:1,min:Ut,max:-Ut,idxs:[]};function sy(i,e,t,n,s){return e.map(r=>r==null?"":Hu(r))}function ry(i,e,t,n,s,r,o){let a=[],l=ks.get(s)||0;t=o?t:Ot(_l(t,s),l);for(let c=t;c<=n;c=Ot(c+s,l))a.push(Object.is(c,-0)?0:c);return a}function Du(i,e,t,n,s,r,o){let a=[],l=i.scales[i.axes[e].scale].log,c=l==10?ps:em,h=ui(c(t));s=Zr(l,h),l==10&&(s=ur[Ni(s,ur)]);let u=t,d=s*l;l==10&&(d=ur[Ni(d,ur)]);do a.push(u),u=u+s,l==10&&!ks.has(u)&&(u=Ot(u,ks.get(s))),u>=d&&(s=u,d=s*l,l==10&&(d=ur[Ni(d,ur)]));while(u<=n);return a}function oy(i,e,t,n,s,r,o){let l=i.scales[i.axes[e].scale].asinh,c=n>l?Du(i,e,Zn(l,t),n,s):[l],h=n>=0&&t<=0?[0]:[];return(t<-l?Du(i,e,Zn(l,-n),-t,s):[l]).reverse().map(d=>-d).concat(h,c)}var Sm=/./,ay=/[12357]/,ly=/[125]/,zp=/1/,Nu=(i,e,t,n)=>i.map((s,r)=>e==4&&s==0||r%n==0&&t.test(s.toExponential()[s<0?1:0])?s:null);function cy(i,e,t,n,s){let r=i.axes[t],o=r.scale,a=i.scales[o],l=i.valToPos,c=r._space,h=l(10,o),u=l(9,o)-h>=c?Sm:l(7,o)-h>=c?ay:l(5,o)-h>=c?ly:zp;if(u==zp){let d=xn(l(1,o)-h);if(d<c)return Nu(e.slice().reverse(),a.distr,u,Ei(c/d)).reverse()}return Nu(e,a.distr,u,1)}function hy(i,e,t,n,s){let r=i.axes[t],o=r.scale,a=r._space,l=i.valToPos,c=xn(l(1,o)-l(2,o));return c<a?Nu(e.slice().reverse(),3,Sm,Ei(a/c)).reverse():e}function uy(i,e,t,n){return n==null?Bu:e==null?"":Hu(e)}var Vp={show:!0,scale:"y",stroke:ku,space:30,gap:5,alignTo:1,size:50,labelGap:0,labelSize:30,labelFont:vm,side:3,grid:$u,ticks:ym,border:xm,font:Yu,lineGap:bm,rotate:0};function dy(i,e){let t=3+(i||1)*2;return Ot(t*e,3)}function fy(i,e){let{scale:t,idxs:n}=i.series[0],s=i._data[0],r=i.valToPos(s[n[0]],t,!0),o=i.valToPos(s[n[1]],t,!0),a=xn(o-r),l=i.series[e],c=a/(l.points.space*Et);return n[1]-n[0]<=c}var Gp={scale:null,auto:!0,sorted:0,min:Ut,max:-Ut},Mm=(i,e,t,n,s)=>s,Hp={show:!0,auto:!0,sorted:0,gaps:Mm,alpha:1,facets:[dn({},Gp,{scale:"x"}),dn({},Gp,{scale:"y"})]},Wp={scale:"y",auto:!0,sorted:0,show:!0,spanGaps:!1,gaps:Mm,alpha:1,points:{show:fy,filter:null},values:null,min:Ut,max:-Ut,idxs:[],path:null,clip:null};function py(i,e,t,n,s){return t/10}var wm={time:!0,auto:!0,distr:1,log:10,asinh:1,min:null,max:null,dir:1,ori:0},my=dn({},wm,{time:!1,ori:1}),Xp={};function Em(i,e){let t=Xp[i];return t||(t={key:i,plots:[],sub(n){t.plots.push(n)},unsub(n){t.plots=t.plots.filter(s=>s!=n)},pub(n,s,r,o,a,l,c){for(let h=0;h<t.plots.length;h++)t.plots[h]!=s&&t.plots[h].pub(n,s,r,o,a,l,c)}},i!=null&&(Xp[i]=t)),t}var jr=1,Fu=2;function mr(i,e,t){let n=i.mode,s=i.series[e],r=n==2?i._data[e]:i._data,o=i.scales,a=i.bbox,l=r[0],c=n==2?r[1]:r[e],h=n==2?o[s.facets[0].scale]:o[i.series[0].scale],u=n==2?o[s.facets[1].scale]:o[s.scale],d=a.left,f=a.top,m=a.width,x=a.height,g=i.valToPosH,p=i.valToPosV;return h.ori==0?t(s,l,c,h,u,g,p,d,f,m,x,vl,eo,Sl,Am,Cm):t(s,l,c,h,u,p,g,f,d,x,m,bl,to,Ju,Rm,Pm)}function Zu(i,e){let t=0,n=0,s=St(i.bands,Wu);for(let r=0;r<s.length;r++){let o=s[r];o.series[0]==e?t=o.dir:o.series[1]==e&&(o.dir==1?n|=1:n|=2)}return[t,n==1?-1:n==2?1:n==3?2:0]}function gy(i,e,t,n,s){let r=i.mode,o=i.series[e],a=r==2?o.facets[1].scale:o.scale,l=i.scales[a];return s==-1?l.min:s==1?l.max:l.distr==3?l.dir==1?l.min:l.max:0}function ms(i,e,t,n,s,r){return mr(i,e,(o,a,l,c,h,u,d,f,m,x,g)=>{let p=o.pxRound,b=c.dir*(c.ori==0?1:-1),A=c.ori==0?eo:to,w,P;b==1?(w=t,P=n):(w=n,P=t);let T=p(u(a[w],c,x,f)),y=p(d(l[w],h,g,m)),E=p(u(a[P],c,x,f)),z=p(d(r==1?h.max:h.min,h,g,m)),N=new Path2D(s);return A(N,E,z),A(N,T,z),A(N,T,y),N})}function xl(i,e,t,n,s,r){let o=null;if(i.length>0){o=new Path2D;let a=e==0?Sl:Ju,l=t;for(let u=0;u<i.length;u++){let d=i[u];if(d[1]>d[0]){let f=d[0]-l;f>0&&a(o,l,n,f,n+r),l=d[1]}}let c=t+s-l,h=10;c>0&&a(o,l,n-h/2,c,n+r+h)}return o}function _y(i,e,t){let n=i[i.length-1];n&&n[0]==e?n[1]=t:i.push([e,t])}function Ku(i,e,t,n,s,r,o){let a=[],l=i.length;for(let c=s==1?t:n;c>=t&&c<=n;c+=s)if(e[c]===null){let u=c,d=c;if(s==1)for(;++c<=n&&e[c]===null;)d=c;else for(;--c>=t&&e[c]===null;)d=c;let f=r(i[u]),m=d==u?f:r(i[d]),x=u-s;f=o<=0&&x>=0&&x<l?r(i[x]):f;let p=d+s;m=o>=0&&p>=0&&p<l?r(i[p]):m,m>=f&&a.push([f,m])}return a}function qp(i){return i==0?nm:i==1?yn:e=>hr(e,i)}function Tm(i){let e=i==0?vl:bl,t=i==0?(s,r,o,a,l,c)=>{s.arcTo(r,o,a,l,c)}:(s,r,o,a,l,c)=>{s.arcTo(o,r,l,a,c)},n=i==0?(s,r,o,a,l)=>{s.rect(r,o,a,l)}:(s,r,o,a,l)=>{s.rect(o,r,l,a)};return(s,r,o,a,l,c=0,h=0)=>{c==0&&h==0?n(s,r,o,a,l):(c=Fi(c,a/2,l/2),h=Fi(h,a/2,l/2),e(s,r+c,o),t(s,r+a,o,r+a,o+l,c),t(s,r+a,o+l,r,o+l,h),t(s,r,o+l,r,o,h),t(s,r,o,r+a,o,c),s.closePath())}}var vl=(i,e,t)=>{i.moveTo(e,t)},bl=(i,e,t)=>{i.moveTo(t,e)},eo=(i,e,t)=>{i.lineTo(e,t)},to=(i,e,t)=>{i.lineTo(t,e)},Sl=Tm(0),Ju=Tm(1),Am=(i,e,t,n,s,r)=>{i.arc(e,t,n,s,r)},Rm=(i,e,t,n,s,r)=>{i.arc(t,e,n,s,r)},Cm=(i,e,t,n,s,r,o)=>{i.bezierCurveTo(e,t,n,s,r,o)},Pm=(i,e,t,n,s,r,o)=>{i.bezierCurveTo(t,e,s,n,o,r)};function Im(i){return(e,t,n,s,r)=>mr(e,t,(o,a,l,c,h,u,d,f,m,x,g)=>{let{pxRound:p,points:b}=o,A,w;c.ori==0?(A=vl,w=Am):(A=bl,w=Rm);let P=Ot(b.width*Et,3),T=(b.size-b.width)/2*Et,y=Ot(T*2,3),E=new Path2D,z=new Path2D,{left:N,top:L,width:H,height:W}=e.bbox;Sl(z,N-y,L-y,H+y*2,W+y*2);let D=G=>{if(l[G]!=null){let K=p(u(a[G],c,x,f)),B=p(d(l[G],h,g,m));A(E,K+T,B),w(E,K,B,T,0,ul*2)}};if(r)r.forEach(D);else for(let G=n;G<=s;G++)D(G);return{stroke:P>0?E:null,fill:E,clip:z,flags:jr|Fu}})}function Lm(i){return(e,t,n,s,r,o)=>{n!=s&&(r!=n&&o!=n&&i(e,t,n),r!=s&&o!=s&&i(e,t,s),i(e,t,o))}}var yy=Lm(eo),xy=Lm(to);function Dm(i){let e=St(i?.alignGaps,0);return(t,n,s,r)=>mr(t,n,(o,a,l,c,h,u,d,f,m,x,g)=>{[s,r]=ml(l,s,r);let p=o.pxRound,b=W=>p(u(W,c,x,f)),A=W=>p(d(W,h,g,m)),w,P;c.ori==0?(w=eo,P=yy):(w=to,P=xy);let T=c.dir*(c.ori==0?1:-1),y={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:jr},E=y.stroke,z=!1;if(r-s>=x*4){let W=ue=>t.posToVal(ue,c.key,!0),D=null,G=null,K,B,ce,J=b(a[T==1?s:r]),Q=b(a[s]),se=b(a[r]),de=W(T==1?Q+1:se-1);for(let ue=T==1?s:r;ue>=s&&ue<=r;ue+=T){let ee=a[ue],ye=(T==1?ee<de:ee>de)?J:b(ee),Ae=l[ue];ye==J?Ae!=null?(B=Ae,D==null?(w(E,ye,A(B)),K=D=G=B):B<D?D=B:B>G&&(G=B)):Ae===null&&(z=!0):(D!=null&&P(E,J,A(D),A(G),A(K),A(B)),Ae!=null?(B=Ae,w(E,ye,A(B)),D=G=K=B):(D=G=null,Ae===null&&(z=!0)),J=ye,de=W(J+T))}D!=null&&D!=G&&ce!=J&&P(E,J,A(D),A(G),A(K),A(B))}else for(let W=T==1?s:r;W>=s&&W<=r;W+=T){let D=l[W];D===null?z=!0:D!=null&&w(E,b(a[W]),A(D))}let[L,H]=Zu(t,n);if(o.fill!=null||L!=0){let W=y.fill=new Path2D(E),D=o.fillTo(t,n,o.min,o.max,L),G=A(D),K=b(a[s]),B=b(a[r]);T==-1&&([B,K]=[K,B]),w(W,B,G),w(W,K,G)}if(!o.spanGaps){let W=[];z&&W.push(...Ku(a,l,s,r,T,b,e)),y.gaps=W=o.gaps(t,n,s,r,W),y.clip=xl(W,c.ori,f,m,x,g)}return H!=0&&(y.band=H==2?[ms(t,n,s,r,E,-1),ms(t,n,s,r,E,1)]:ms(t,n,s,r,E,H)),y})}function vy(i){let e=St(i.align,1),t=St(i.ascDesc,!1),n=St(i.alignGaps,0),s=St(i.extend,!1);return(r,o,a,l)=>mr(r,o,(c,h,u,d,f,m,x,g,p,b,A)=>{[a,l]=ml(u,a,l);let w=c.pxRound,{left:P,width:T}=r.bbox,y=Q=>w(m(Q,d,b,g)),E=Q=>w(x(Q,f,A,p)),z=d.ori==0?eo:to,N={stroke:new Path2D,fill:null,clip:null,band:null,gaps:null,flags:jr},L=N.stroke,H=d.dir*(d.ori==0?1:-1),W=E(u[H==1?a:l]),D=y(h[H==1?a:l]),G=D,K=D;s&&e==-1&&(K=P,z(L,K,W)),z(L,D,W);for(let Q=H==1?a:l;Q>=a&&Q<=l;Q+=H){let se=u[Q];if(se==null)continue;let de=y(h[Q]),ue=E(se);e==1?z(L,de,W):z(L,G,ue),z(L,de,ue),W=ue,G=de}let B=G;s&&e==1&&(B=P+T,z(L,B,W));let[ce,J]=Zu(r,o);if(c.fill!=null||ce!=0){let Q=N.fill=new Path2D(L),se=c.fillTo(r,o,c.min,c.max,ce),de=E(se);z(Q,B,de),z(Q,K,de)}if(!c.spanGaps){let Q=[];Q.push(...Ku(h,u,a,l,H,y,n));let se=c.width*Et/2,de=t||e==1?se:-se,ue=t||e==-1?-se:se;Q.forEach(ee=>{ee[0]+=de,ee[1]+=ue}),N.gaps=Q=c.gaps(r,o,a,l,Q),N.clip=xl(Q,d.ori,g,p,b,A)}return J!=0&&(N.band=J==2?[ms(r,o,a,l,L,-1),ms(r,o,a,l,L,1)]:ms(r,o,a,l,L,J)),N})}function $p(i,e,t,n,s,r,o=Ut){if(i.length>1){let a=null;for(let l=0,c=1/0;l<i.length;l++)if(e[l]!==void 0){if(a!=null){let h=xn(i[l]-i[a]);h<c&&(c=h,o=xn(t(i[l],n,s,r)-t(i[a],n,s,r)))}a=l}}return o}function by(i){i=i||ta;let e=St(i.size,[.6,Ut,1]),t=i.align||0,n=i.gap||0,s=i.radius;s=s==null?[0,0]:typeof s=="number"?[s,0]:s;let r=yt(s),o=1-e[0],a=St(e[1],Ut),l=St(e[2],1),c=St(i.disp,ta),h=St(i.each,f=>{}),{fill:u,stroke:d}=c;return(f,m,x,g)=>mr(f,m,(p,b,A,w,P,T,y,E,z,N,L)=>{let H=p.pxRound,W=t,D=n*Et,G=a*Et,K=l*Et,B,ce;w.ori==0?[B,ce]=r(f,m):[ce,B]=r(f,m);let J=w.dir*(w.ori==0?1:-1),Q=w.ori==0?Sl:Ju,se=w.ori==0?h:(Ce,$e,rt,Me,Ft,ze,Xe)=>{h(Ce,$e,rt,Ft,Me,Xe,ze)},de=St(f.bands,Wu).find(Ce=>Ce.series[0]==m),ue=de!=null?de.dir:0,ee=p.fillTo(f,m,p.min,p.max,ue),me=H(y(ee,P,L,z)),ye,Ae,Se,He=N,st=H(p.width*Et),Ve=!1,ut=null,lt=null,nt=null,qt=null;u!=null&&(st==0||d!=null)&&(Ve=!0,ut=u.values(f,m,x,g),lt=new Map,new Set(ut).forEach(Ce=>{Ce!=null&&lt.set(Ce,new Path2D)}),st>0&&(nt=d.values(f,m,x,g),qt=new Map,new Set(nt).forEach(Ce=>{Ce!=null&&qt.set(Ce,new Path2D)})));let{x0:kt,size:on}=c;if(kt!=null&&on!=null){W=1,b=kt.values(f,m,x,g),kt.unit==2&&(b=b.map(rt=>f.posToVal(E+rt*N,w.key,!0)));let Ce=on.values(f,m,x,g);on.unit==2?Ae=Ce[0]*N:Ae=T(Ce[0],w,N,E)-T(0,w,N,E),He=$p(b,A,T,w,N,E,He),Se=He-Ae+D}else He=$p(b,A,T,w,N,E,He),Se=He*o+D,Ae=He-Se;Se<1&&(Se=0),st>=Ae/2&&(st=0),Se<5&&(H=nm);let Dt=Se>0,Mn=He-Se-(Dt?st:0);Ae=H(Lu(Mn,K,G)),ye=(W==0?Ae/2:W==J?0:Ae)-W*J*((W==0?D/2:0)+(Dt?st/2:0));let xt={stroke:null,fill:null,clip:null,band:null,gaps:null,flags:0},mn=Ve?null:new Path2D,Kt=null;if(de!=null)Kt=f.data[de.series[1]];else{let{y0:Ce,y1:$e}=c;Ce!=null&&$e!=null&&(A=$e.values(f,m,x,g),Kt=Ce.values(f,m,x,g))}let an=B*Ae,U=ce*Ae;for(let Ce=J==1?x:g;Ce>=x&&Ce<=g;Ce+=J){let $e=A[Ce];if($e==null)continue;if(Kt!=null){let X=Kt[Ce]??0;if($e-X==0)continue;me=y(X,P,L,z)}let rt=w.distr!=2||c!=null?b[Ce]:Ce,Me=T(rt,w,N,E),Ft=y(St($e,ee),P,L,z),ze=H(Me-ye),Xe=H(Zn(Ft,me)),R=H(Fi(Ft,me)),v=Xe-R;if($e!=null){let X=$e<0?U:an,he=$e<0?an:U;Ve?(st>0&&nt[Ce]!=null&&Q(qt.get(nt[Ce]),ze,R+ui(st/2),Ae,Zn(0,v-st),X,he),ut[Ce]!=null&&Q(lt.get(ut[Ce]),ze,R+ui(st/2),Ae,Zn(0,v-st),X,he)):Q(mn,ze,R+ui(st/2),Ae,Zn(0,v-st),X,he),se(f,m,Ce,ze-st/2,R,Ae+st,v)}}return st>0?xt.stroke=Ve?qt:mn:Ve||(xt._fill=p.width==0?p._fill:p._stroke??p._fill,xt.width=0),xt.fill=Ve?lt:mn,xt})}function Sy(i,e){let t=St(e?.alignGaps,0);return(n,s,r,o)=>mr(n,s,(a,l,c,h,u,d,f,m,x,g,p)=>{[r,o]=ml(c,r,o);let b=a.pxRound,A=B=>b(d(B,h,g,m)),w=B=>b(f(B,u,p,x)),P,T,y;h.ori==0?(P=vl,y=eo,T=Cm):(P=bl,y=to,T=Pm);let E=h.dir*(h.ori==0?1:-1),z=A(l[E==1?r:o]),N=z,L=[],H=[];for(let B=E==1?r:o;B>=r&&B<=o;B+=E)if(c[B]!=null){let J=l[B],Q=A(J);L.push(N=Q),H.push(w(c[B]))}let W={stroke:i(L,H,P,y,T,b),fill:null,clip:null,band:null,gaps:null,flags:jr},D=W.stroke,[G,K]=Zu(n,s);if(a.fill!=null||G!=0){let B=W.fill=new Path2D(D),ce=a.fillTo(n,s,a.min,a.max,G),J=w(ce);y(B,N,J),y(B,z,J)}if(!a.spanGaps){let B=[];B.push(...Ku(l,c,r,o,E,A,t)),W.gaps=B=a.gaps(n,s,r,o,B),W.clip=xl(B,h.ori,m,x,g,p)}return K!=0&&(W.band=K==2?[ms(n,s,r,o,D,-1),ms(n,s,r,o,D,1)]:ms(n,s,r,o,D,K)),W})}function My(i){return Sy(wy,i)}function wy(i,e,t,n,s,r){let o=i.length;if(o<2)return null;let a=new Path2D;if(t(a,i[0],e[0]),o==2)n(a,i[1],e[1]);else{let l=Array(o),c=Array(o-1),h=Array(o-1),u=Array(o-1);for(let d=0;d<o-1;d++)h[d]=e[d+1]-e[d],u[d]=i[d+1]-i[d],c[d]=h[d]/u[d];l[0]=c[0];for(let d=1;d<o-1;d++)c[d]===0||c[d-1]===0||c[d-1]>0!=c[d]>0?l[d]=0:(l[d]=3*(u[d-1]+u[d])/((2*u[d]+u[d-1])/c[d-1]+(u[d]+2*u[d-1])/c[d]),isFinite(l[d])||(l[d]=0));l[o-1]=c[o-2];for(let d=0;d<o-1;d++)s(a,i[d]+u[d]/3,e[d]+l[d]*u[d]/3,i[d+1]-u[d]/3,e[d+1]-l[d+1]*u[d]/3,i[d+1],e[d+1])}return a}var Uu=new Set;function Yp(){for(let i of Uu)i.syncRect(!0)}Qr&&(fr(s_,Yr,Yp),fr(r_,Yr,Yp,!0),fr(dl,Yr,()=>{Dn.pxRatio=Et}));var Ey=Dm(),Ty=Im();function Zp(i,e,t,n){return(n?[i[0],i[1]].concat(i.slice(2)):[i[0]].concat(i.slice(1))).map((r,o)=>Ou(r,o,e,t))}function Ay(i,e){return i.map((t,n)=>n==0?{}:dn({},e,t))}function Ou(i,e,t,n){return dn({},e==0?t:n,i)}function Nm(i,e,t){return e==null?Kr:[e,t]}var Ry=Nm;function Cy(i,e,t){return e==null?Kr:fl(e,t,Gu,!0)}function Fm(i,e,t,n){return e==null?Kr:gl(e,t,i.scales[n].log,!1)}var Py=Fm;function Um(i,e,t,n){return e==null?Kr:Vu(e,t,i.scales[n].log,!1)}var Iy=Um;function Ly(i,e,t,n,s){let r=Zn(Ap(i),Ap(e)),o=e-i,a=Ni(s/n*o,t);do{let l=t[a],c=n*l/o;if(c>=s&&r+(l<5?ks.get(l):0)<=17)return[l,c]}while(++a<t.length);return[0,0]}function Kp(i){let e,t;return i=i.replace(/(\d+)px/,(n,s)=>(e=yn((t=+s)*Et))+"px"),[i,e,t]}function Dy(i){i.show&&[i.font,i.labelFont].forEach(e=>{let t=Ot(e[2]*Et,1);e[0]=e[0].replace(/[0-9.]+px/,t+"px"),e[1]=t})}function Dn(i,e,t){let n={mode:St(i.mode,1)},s=n.mode;function r(_,S,C,I){let k=S.valToPct(_);return I+C*(S.dir==-1?1-k:k)}function o(_,S,C,I){let k=S.valToPct(_);return I+C*(S.dir==-1?k:1-k)}function a(_,S,C,I){return S.ori==0?r(_,S,C,I):o(_,S,C,I)}n.valToPosH=r,n.valToPosV=o;let l=!1;n.status=0;let c=n.root=wi(zg);if(i.id!=null&&(c.id=i.id),hi(c,i.class),i.title){let _=wi(Hg,c);_.textContent=i.title}let h=Di("canvas"),u=n.ctx=h.getContext("2d"),d=wi(Wg,c);fr("click",d,_=>{_.target===m&&(Vt!=Or||$t!=kr)&&In.click(n,_)},!0);let f=n.under=wi(Xg,d);d.appendChild(h);let m=n.over=wi(qg,d);i=Jr(i);let x=+St(i.pxAlign,1),g=qp(x);(i.plugins||[]).forEach(_=>{_.opts&&(i=_.opts(n,i)||i)});let p=i.ms||.001,b=n.series=s==1?Zp(i.series||[],Bp,Wp,!1):Ay(i.series||[null],Hp),A=n.axes=Zp(i.axes||[],kp,Vp,!0),w=n.scales={},P=n.bands=i.bands||[];P.forEach(_=>{_.fill=yt(_.fill||null),_.dir=St(_.dir,-1)});let T=s==2?b[1].facets[0].scale:b[0].scale,y={axes:us,series:ft},E=(i.drawOrder||["axes","series"]).map(_=>y[_]);function z(_){let S=_.distr==3?C=>ps(C>0?C:_.clamp(n,C,_.min,_.max,_.key)):_.distr==4?C=>wu(C,_.asinh):_.distr==100?C=>_.fwd(C):C=>C;return C=>{let I=S(C),{_min:k,_max:Z}=_,ae=Z-k;return(I-k)/ae}}function N(_){let S=w[_];if(S==null){let C=(i.scales||ta)[_]||ta;if(C.from!=null){N(C.from);let I=dn({},w[C.from],C,{key:_});I.valToPct=z(I),w[_]=I}else{S=w[_]=dn({},_==T?wm:my,C),S.key=_;let I=S.time,k=S.range,Z=Os(k);if((_!=T||s==2&&!I)&&(Z&&(k[0]==null||k[1]==null)&&(k={min:k[0]==null?wp:{mode:1,hard:k[0],soft:k[0]},max:k[1]==null?wp:{mode:1,hard:k[1],soft:k[1]}},Z=!1),!Z&&yl(k))){let ae=k;k=(fe,ve,De)=>ve==null?Kr:fl(ve,De,ae)}S.range=yt(k||(I?Ry:_==T?S.distr==3?Py:S.distr==4?Iy:Nm:S.distr==3?Fm:S.distr==4?Um:Cy)),S.auto=yt(Z?!1:S.auto),S.clamp=yt(S.clamp||py),S._min=S._max=null,S.valToPct=z(S)}}}N("x"),N("y"),s==1&&b.forEach(_=>{N(_.scale)}),A.forEach(_=>{N(_.scale)});for(let _ in i.scales)N(_);let L=w[T],H=L.distr,W,D;L.ori==0?(hi(c,Vg),W=r,D=o):(hi(c,Gg),W=o,D=r);let G={};for(let _ in w){let S=w[_];(S.min!=null||S.max!=null)&&(G[_]={min:S.min,max:S.max},S.min=S.max=null)}let K=i.tzDate||(_=>new Date(yn(_/p))),B=i.fmtDate||Xu,ce=p==1?V_(K):W_(K),J=Fp(K,Np(p==1?z_:H_,B)),Q=Op(K,Up(q_,B)),se=[],de=n.legend=dn({},Z_,i.legend),ue=n.cursor=dn({},ty,{drag:{y:s==2}},i.cursor),ee=de.show,me=ue.show,ye=de.markers;de.idxs=se,ye.width=yt(ye.width),ye.dash=yt(ye.dash),ye.stroke=yt(ye.stroke),ye.fill=yt(ye.fill);let Ae,Se,He,st=[],Ve=[],ut,lt=!1,nt={};if(de.live){let _=b[1]?b[1].values:null;lt=_!=null,ut=lt?_(n,1,0):{_:0};for(let S in ut)nt[S]=Bu}if(ee)if(Ae=Di("table",jg,c),He=Di("tbody",null,Ae),de.mount(n,Ae),lt){Se=Di("thead",null,Ae,He);let _=Di("tr",null,Se);Di("th",null,_);for(var qt in ut)Di("th",up,_).textContent=qt}else hi(Ae,e_),de.live&&hi(Ae,Qg);let kt={show:!0},on={show:!1};function Dt(_,S){if(S==0&&(lt||!de.live||s==2))return Kr;let C=[],I=Di("tr",t_,He,He.childNodes[S]);hi(I,_.class),_.show||hi(I,dr);let k=Di("th",null,I);if(ye.show){let fe=wi(n_,k);if(S>0){let ve=ye.width(n,S);ve&&(fe.style.border=ve+"px "+ye.dash(n,S)+" "+ye.stroke(n,S)),fe.style.background=ye.fill(n,S)}}let Z=wi(up,k);_.label instanceof HTMLElement?Z.appendChild(_.label):Z.textContent=_.label,S>0&&(ye.show||(Z.style.color=_.width>0?ye.stroke(n,S):ye.fill(n,S)),xt("click",k,fe=>{if(ue._lock)return;Ze(fe);let ve=b.indexOf(_);if((fe.ctrlKey||fe.metaKey)!=de.isolate){let De=b.some((Ne,Ue)=>Ue>0&&Ue!=ve&&Ne.show);b.forEach((Ne,Ue)=>{Ue>0&&$i(Ue,De?Ue==ve?kt:on:kt,!0,un.setSeries)})}else $i(ve,{show:!_.show},!0,un.setSeries)},!1),Ke&&xt(mp,k,fe=>{ue._lock||(Ze(fe),$i(b.indexOf(_),zr,!0,un.setSeries))},!1));for(var ae in ut){let fe=Di("td",i_,I);fe.textContent="--",C.push(fe)}return[I,C]}let Mn=new Map;function xt(_,S,C,I=!0){let k=Mn.get(S)||{},Z=ue.bind[_](n,S,C,I);Z&&(fr(_,S,k[_]=Z),Mn.set(S,k))}function mn(_,S,C){let I=Mn.get(S)||{};for(let k in I)(_==null||k==_)&&(Iu(k,S,I[k]),delete I[k]);_==null&&Mn.delete(S)}let Kt=0,an=0,U=0,Ce=0,$e=0,rt=0,Me=$e,Ft=rt,ze=U,Xe=Ce,R=0,v=0,X=0,he=0;n.bbox={};let oe=!1,_e=!1,xe=!1,te=!1,ie=!1,pe=!1;function F(_,S,C){(C||_!=n.width||S!=n.height)&&re(_,S),ct(!1),xe=!0,_e=!0,kn()}function re(_,S){n.width=Kt=U=_,n.height=an=Ce=S,$e=rt=0,be(),Ge();let C=n.bbox;R=C.left=hr($e*Et,.5),v=C.top=hr(rt*Et,.5),X=C.width=hr(U*Et,.5),he=C.height=hr(Ce*Et,.5)}let ne=3;function we(){let _=!1,S=0;for(;!_;){S++;let C=Nr(S),I=qi(S);_=S==ne||C&&I,_||(re(n.width,n.height),_e=!0)}}function ge({width:_,height:S}){F(_,S)}n.setSize=ge;function be(){let _=!1,S=!1,C=!1,I=!1;A.forEach((k,Z)=>{if(k.show&&k._show){let{side:ae,_size:fe}=k,ve=ae%2,De=k.label!=null?k.labelSize:0,Ne=fe+De;Ne>0&&(ve?(U-=Ne,ae==3?($e+=Ne,I=!0):C=!0):(Ce-=Ne,ae==0?(rt+=Ne,_=!0):S=!0))}}),Wi[0]=_,Wi[1]=C,Wi[2]=S,Wi[3]=I,U-=Ci[1]+Ci[3],$e+=Ci[3],Ce-=Ci[2]+Ci[0],rt+=Ci[0]}function Ge(){let _=$e+U,S=rt+Ce,C=$e,I=rt;function k(Z,ae){switch(Z){case 1:return _+=ae,_-ae;case 2:return S+=ae,S-ae;case 3:return C-=ae,C+ae;case 0:return I-=ae,I+ae}}A.forEach((Z,ae)=>{if(Z.show&&Z._show){let fe=Z.side;Z._pos=k(fe,Z._size),Z.label!=null&&(Z._lpos=k(fe,Z.labelSize))}})}if(ue.dataIdx==null){let _=ue.hover,S=_.skip=new Set(_.skip??[]);S.add(void 0);let C=_.prox=yt(_.prox),I=_.bias??=0;ue.dataIdx=(k,Z,ae,fe)=>{if(Z==0)return ae;let ve=ae,De=C(k,Z,ae,fe)??Ut,Ne=De>=0&&De<Ut,Ue=L.ori==0?U:Ce,it=ue.left,Mt=e[0],vt=e[Z];if(S.has(vt[ae])){ve=null;let mt=null,Ye=null,We;if(I==0||I==-1)for(We=ae;mt==null&&We-- >0;)S.has(vt[We])||(mt=We);if(I==0||I==1)for(We=ae;Ye==null&&We++<vt.length;)S.has(vt[We])||(Ye=We);if(mt!=null||Ye!=null)if(Ne){let Ht=mt==null?-1/0:W(Mt[mt],L,Ue,0),Qt=Ye==null?1/0:W(Mt[Ye],L,Ue,0),An=it-Ht,Nt=Qt-it;An<=Nt?An<=De&&(ve=mt):Nt<=De&&(ve=Ye)}else ve=Ye==null?mt:mt==null?Ye:ae-mt<=Ye-ae?mt:Ye}else Ne&&xn(it-W(Mt[ae],L,Ue,0))>De&&(ve=null);return ve}}let Ze=_=>{ue.event=_};ue.idxs=se,ue._lock=!1;let le=ue.points;le.show=yt(le.show),le.size=yt(le.size),le.stroke=yt(le.stroke),le.width=yt(le.width),le.fill=yt(le.fill);let Oe=n.focus=dn({},i.focus||{alpha:.3},ue.focus),Ke=Oe.prox>=0,Re=Ke&&le.one,at=[],zt=[],Hn=[];function Oo(_,S){let C=le.show(n,S);if(C instanceof HTMLElement)return hi(C,Jg),hi(C,_.class),ji(C,-10,-10,U,Ce),m.insertBefore(C,at[S]),C}function Ir(_,S){if(s==1||S>0){let C=s==1&&w[_.scale].time,I=_.value;_.value=C?Pp(I)?Op(K,Up(I,B)):I||Q:I||uy,_.label=_.label||(C?iy:ny)}if(Re||S>0){_.width=_.width==null?1:_.width,_.paths=_.paths||Ey||m_,_.fillTo=yt(_.fillTo||gy),_.pxAlign=+St(_.pxAlign,x),_.pxRound=qp(_.pxAlign),_.stroke=yt(_.stroke||null),_.fill=yt(_.fill||null),_._stroke=_._fill=_._paths=_._focus=null;let C=dy(Zn(1,_.width),1),I=_.points=dn({},{size:C,width:Zn(1,C*.2),stroke:_.stroke,space:C*2,paths:Ty,_stroke:null,_fill:null},_.points);I.show=yt(I.show),I.filter=yt(I.filter),I.fill=yt(I.fill),I.stroke=yt(I.stroke),I.paths=yt(I.paths),I.pxAlign=_.pxAlign}if(ee){let C=Dt(_,S);st.splice(S,0,C[0]),Ve.splice(S,0,C[1]),de.values.push(null)}if(me){se.splice(S,0,null);let C=null;Re?S==0&&(C=Oo(_,S)):S>0&&(C=Oo(_,S)),at.splice(S,0,C),zt.splice(S,0,0),Hn.splice(S,0,0)}Tn("addSeries",S)}function iu(_,S){S=S??b.length,_=s==1?Ou(_,S,Bp,Wp):Ou(_,S,{},Hp),b.splice(S,0,_),Ir(b[S],S)}n.addSeries=iu;function Ja(_){if(b.splice(_,1),ee){de.values.splice(_,1),Ve.splice(_,1);let S=st.splice(_,1)[0];mn(null,S.firstChild),S.remove()}me&&(se.splice(_,1),at.splice(_,1)[0].remove(),zt.splice(_,1),Hn.splice(_,1)),Tn("delSeries",_)}n.delSeries=Ja;let Wi=[!1,!1,!1,!1];function ls(_,S){if(_._show=_.show,_.show){let C=_.side%2,I=w[_.scale];I==null&&(_.scale=C?b[1].scale:T,I=w[_.scale]);let k=I.time;_.size=yt(_.size),_.space=yt(_.space),_.rotate=yt(_.rotate),Os(_.incrs)&&_.incrs.forEach(ae=>{!ks.has(ae)&&ks.set(ae,rm(ae))}),_.incrs=yt(_.incrs||(I.distr==2?O_:k?p==1?B_:G_:ur)),_.splits=yt(_.splits||(k&&I.distr==1?ce:I.distr==3?Du:I.distr==4?oy:ry)),_.stroke=yt(_.stroke),_.grid.stroke=yt(_.grid.stroke),_.ticks.stroke=yt(_.ticks.stroke),_.border.stroke=yt(_.border.stroke);let Z=_.values;_.values=Os(Z)&&!Os(Z[0])?yt(Z):k?Os(Z)?Fp(K,Np(Z,B)):Pp(Z)?X_(K,Z):Z||J:Z||sy,_.filter=yt(_.filter||(I.distr>=3&&I.log==10?cy:I.distr==3&&I.log==2?hy:im)),_.font=Kp(_.font),_.labelFont=Kp(_.labelFont),_._size=_.size(n,null,S,0),_._space=_._rotate=_._incrs=_._found=_._splits=_._values=null,_._size>0&&(Wi[S]=!0,_._el=wi($g,d))}}function cs(_,S,C,I){let[k,Z,ae,fe]=C,ve=S%2,De=0;return ve==0&&(fe||Z)&&(De=S==0&&!k||S==2&&!ae?yn(kp.size/3):0),ve==1&&(k||ae)&&(De=S==1&&!Z||S==3&&!fe?yn(Vp.size/2):0),De}let ko=n.padding=(i.padding||[cs,cs,cs,cs]).map(_=>yt(St(_,cs))),Ci=n._padding=ko.map((_,S)=>_(n,S,Wi,0)),Jt,nn=null,sn=null,Xi=s==1?b[0].idxs:null,oi=null,Cs=!1;function Bo(_,S){if(e=_??[],n.data=n._data=e,s==2){Jt=0;for(let C=1;C<b.length;C++)Jt+=e[C][0].length}else{e.length==0&&(n.data=n._data=e=[[]]),oi=e[0],Jt=oi.length;let C=e;if(H==2){C=e.slice();let I=C[0]=Array(Jt);for(let k=0;k<Jt;k++)I[k]=k}n._data=e=C}if(ct(!0),Tn("setData"),H==2&&(xe=!0),S!==!1){let C=L;C.auto(n,Cs)?zo():Ls(T,C.min,C.max),te=te||ue.left>=0,pe=!0,kn()}}n.setData=Bo;function zo(){Cs=!0;let _,S;s==1&&(Jt>0?(nn=Xi[0]=0,sn=Xi[1]=Jt-1,_=e[0][nn],S=e[0][sn],H==2?(_=nn,S=sn):_==S&&(H==3?[_,S]=gl(_,_,L.log,!1):H==4?[_,S]=Vu(_,_,L.log,!1):L.time?S=_+yn(86400/p):[_,S]=fl(_,S,Gu,!0))):(nn=Xi[0]=_=null,sn=Xi[1]=S=null)),Ls(T,_,S)}let Lr,Ps,Dr,M,O,j,$,Y,Ee,Ie;function Te(_,S,C,I,k,Z){_??=fp,C??=Wu,I??="butt",k??=fp,Z??="round",_!=Lr&&(u.strokeStyle=Lr=_),k!=Ps&&(u.fillStyle=Ps=k),S!=Dr&&(u.lineWidth=Dr=S),Z!=O&&(u.lineJoin=O=Z),I!=j&&(u.lineCap=j=I),C!=M&&u.setLineDash(M=C)}function Le(_,S,C,I){S!=Ps&&(u.fillStyle=Ps=S),_!=$&&(u.font=$=_),C!=Y&&(u.textAlign=Y=C),I!=Ee&&(u.textBaseline=Ee=I)}function Be(_,S,C,I,k=0){if(I.length>0&&_.auto(n,Cs)&&(S==null||S.min==null)){let Z=St(nn,0),ae=St(sn,I.length-1),fe=C.min==null?c_(I,Z,ae,k,_.distr==3):[C.min,C.max];_.min=Fi(_.min,C.min=fe[0]),_.max=Zn(_.max,C.max=fe[1])}}let je={min:null,max:null};function dt(){for(let I in w){let k=w[I];G[I]==null&&(k.min==null||G[T]!=null&&k.auto(n,Cs))&&(G[I]=je)}for(let I in w){let k=w[I];G[I]==null&&k.from!=null&&G[k.from]!=null&&(G[I]=je)}G[T]!=null&&ct(!0);let _={};for(let I in G){let k=G[I];if(k!=null){let Z=_[I]=Jr(w[I],y_);if(k.min!=null)dn(Z,k);else if(I!=T||s==2)if(Jt==0&&Z.from==null){let ae=Z.range(n,null,null,I);Z.min=ae[0],Z.max=ae[1]}else Z.min=Ut,Z.max=-Ut}}if(Jt>0){b.forEach((I,k)=>{if(s==1){let Z=I.scale,ae=G[Z];if(ae==null)return;let fe=_[Z];if(k==0){let ve=fe.range(n,fe.min,fe.max,Z);fe.min=ve[0],fe.max=ve[1],nn=Ni(fe.min,e[0]),sn=Ni(fe.max,e[0]),sn-nn>1&&(e[0][nn]<fe.min&&nn++,e[0][sn]>fe.max&&sn--),I.min=oi[nn],I.max=oi[sn]}else I.show&&I.auto&&Be(fe,ae,I,e[k],I.sorted);I.idxs[0]=nn,I.idxs[1]=sn}else if(k>0&&I.show&&I.auto){let[Z,ae]=I.facets,fe=Z.scale,ve=ae.scale,[De,Ne]=e[k],Ue=_[fe],it=_[ve];Ue!=null&&Be(Ue,G[fe],Z,De,Z.sorted),it!=null&&Be(it,G[ve],ae,Ne,ae.sorted),I.min=ae.min,I.max=ae.max}});for(let I in _){let k=_[I],Z=G[I];if(k.from==null&&(Z==null||Z.min==null)){let ae=k.range(n,k.min==Ut?null:k.min,k.max==-Ut?null:k.max,I);k.min=ae[0],k.max=ae[1]}}}for(let I in _){let k=_[I];if(k.from!=null){let Z=_[k.from];if(Z.min==null)k.min=k.max=null;else{let ae=k.range(n,Z.min,Z.max,I);k.min=ae[0],k.max=ae[1]}}}let S={},C=!1;for(let I in _){let k=_[I],Z=w[I];if(Z.min!=k.min||Z.max!=k.max){Z.min=k.min,Z.max=k.max;let ae=Z.distr;Z._min=ae==3?ps(Z.min):ae==4?wu(Z.min,Z.asinh):ae==100?Z.fwd(Z.min):Z.min,Z._max=ae==3?ps(Z.max):ae==4?wu(Z.max,Z.asinh):ae==100?Z.fwd(Z.max):Z.max,S[I]=C=!0}}if(C){b.forEach((I,k)=>{s==2?k>0&&S.y&&(I._paths=null):S[I.scale]&&(I._paths=null)});for(let I in S)xe=!0,Tn("setScale",I);me&&ue.left>=0&&(te=pe=!0)}for(let I in G)G[I]=null}function ke(_){let S=Lu(nn-1,0,Jt-1),C=Lu(sn+1,0,Jt-1);for(;_[S]==null&&S>0;)S--;for(;_[C]==null&&C<Jt-1;)C++;return[S,C]}function ft(){if(Jt>0){let _=b.some(S=>S._focus)&&Ie!=Oe.alpha;_&&(u.globalAlpha=Ie=Oe.alpha),b.forEach((S,C)=>{if(C>0&&S.show&&(Yt(C,!1),Yt(C,!0),S._paths==null)){let I=Ie;Ie!=S.alpha&&(u.globalAlpha=Ie=S.alpha);let k=s==2?[0,e[C][0].length-1]:ke(e[C]);S._paths=S.paths(n,C,k[0],k[1]),Ie!=I&&(u.globalAlpha=Ie=I)}}),b.forEach((S,C)=>{if(C>0&&S.show){let I=Ie;Ie!=S.alpha&&(u.globalAlpha=Ie=S.alpha),S._paths!=null&&Ct(C,!1);{let k=S._paths!=null?S._paths.gaps:null,Z=S.points.show(n,C,nn,sn,k),ae=S.points.filter(n,C,Z,k);(Z||ae)&&(S.points._paths=S.points.paths(n,C,nn,sn,ae),Ct(C,!0))}Ie!=I&&(u.globalAlpha=Ie=I),Tn("drawSeries",C)}}),_&&(u.globalAlpha=Ie=1)}}function Yt(_,S){let C=S?b[_].points:b[_];C._stroke=C.stroke(n,_),C._fill=C.fill(n,_)}function Ct(_,S){let C=S?b[_].points:b[_],{stroke:I,fill:k,clip:Z,flags:ae,_stroke:fe=C._stroke,_fill:ve=C._fill,_width:De=C.width}=C._paths;De=Ot(De*Et,3);let Ne=null,Ue=De%2/2;S&&ve==null&&(ve=De>0?"#fff":fe);let it=C.pxAlign==1&&Ue>0;if(it&&u.translate(Ue,Ue),!S){let Mt=R-De/2,vt=v-De/2,mt=X+De,Ye=he+De;Ne=new Path2D,Ne.rect(Mt,vt,mt,Ye)}S?Fe(fe,De,C.dash,C.cap,ve,I,k,ae,Z):Pt(_,fe,De,C.dash,C.cap,ve,I,k,ae,Ne,Z),it&&u.translate(-Ue,-Ue)}function Pt(_,S,C,I,k,Z,ae,fe,ve,De,Ne){let Ue=!1;ve!=0&&P.forEach((it,Mt)=>{if(it.series[0]==_){let vt=b[it.series[1]],mt=e[it.series[1]],Ye=(vt._paths||ta).band;Os(Ye)&&(Ye=it.dir==1?Ye[0]:Ye[1]);let We,Ht=null;vt.show&&Ye&&u_(mt,nn,sn)?(Ht=it.fill(n,Mt)||Z,We=vt._paths.clip):Ye=null,Fe(S,C,I,k,Ht,ae,fe,ve,De,Ne,We,Ye),Ue=!0}}),Ue||Fe(S,C,I,k,Z,ae,fe,ve,De,Ne)}let gn=jr|Fu;function Fe(_,S,C,I,k,Z,ae,fe,ve,De,Ne,Ue){Te(_,S,C,I,k),(ve||De||Ue)&&(u.save(),ve&&u.clip(ve),De&&u.clip(De)),Ue?(fe&gn)==gn?(u.clip(Ue),Ne&&u.clip(Ne),_t(k,ae),ln(_,Z,S)):fe&Fu?(_t(k,ae),u.clip(Ue),ln(_,Z,S)):fe&jr&&(u.save(),u.clip(Ue),Ne&&u.clip(Ne),_t(k,ae),u.restore(),ln(_,Z,S)):(_t(k,ae),ln(_,Z,S)),(ve||De||Ue)&&u.restore()}function ln(_,S,C){C>0&&(S instanceof Map?S.forEach((I,k)=>{u.strokeStyle=Lr=k,u.stroke(I)}):S!=null&&_&&u.stroke(S))}function _t(_,S){S instanceof Map?S.forEach((C,I)=>{u.fillStyle=Ps=I,u.fill(C)}):S!=null&&_&&u.fill(S)}function hs(_,S,C,I){let k=A[_],Z;if(I<=0)Z=[0,0];else{let ae=k._space=k.space(n,_,S,C,I),fe=k._incrs=k.incrs(n,_,S,C,I,ae);Z=Ly(S,C,fe,I,ae)}return k._found=Z}function cn(_,S,C,I,k,Z,ae,fe,ve,De){let Ne=ae%2/2;x==1&&u.translate(Ne,Ne),Te(fe,ae,ve,De,fe),u.beginPath();let Ue,it,Mt,vt,mt=k+(I==0||I==3?-Z:Z);C==0?(it=k,vt=mt):(Ue=k,Mt=mt);for(let Ye=0;Ye<_.length;Ye++)S[Ye]!=null&&(C==0?Ue=Mt=_[Ye]:it=vt=_[Ye],u.moveTo(Ue,it),u.lineTo(Mt,vt));u.stroke(),x==1&&u.translate(-Ne,-Ne)}function Nr(_){let S=!0;return A.forEach((C,I)=>{if(!C.show)return;let k=w[C.scale];if(k.min==null){C._show&&(S=!1,C._show=!1,ct(!1));return}else C._show||(S=!1,C._show=!0,ct(!1));let Z=C.side,ae=Z%2,{min:fe,max:ve}=k,[De,Ne]=hs(I,fe,ve,ae==0?U:Ce);if(Ne==0)return;let Ue=k.distr==2,it=C._splits=C.splits(n,I,fe,ve,De,Ne,Ue),Mt=k.distr==2?it.map(We=>oi[We]):it,vt=k.distr==2?oi[it[1]]-oi[it[0]]:De,mt=C._values=C.values(n,C.filter(n,Mt,I,Ne,vt),I,Ne,vt);C._rotate=Z==2?C.rotate(n,mt,I,Ne):0;let Ye=C._size;C._size=Ei(C.size(n,mt,I,_)),Ye!=null&&C._size!=Ye&&(S=!1)}),S}function qi(_){let S=!0;return ko.forEach((C,I)=>{let k=C(n,I,Wi,_);k!=Ci[I]&&(S=!1),Ci[I]=k}),S}function us(){for(let _=0;_<A.length;_++){let S=A[_];if(!S.show||!S._show)continue;let C=S.side,I=C%2,k,Z,ae=S.stroke(n,_),fe=C==0||C==3?-1:1,[ve,De]=S._found;if(S.label!=null){let qn=S.labelGap*fe,ci=yn((S._lpos+qn)*Et);Le(S.labelFont[0],ae,"center",C==2?"top":dp),u.save(),I==1?(k=Z=0,u.translate(ci,yn(v+he/2)),u.rotate((C==3?-ul:ul)/2)):(k=yn(R+X/2),Z=ci);let ar=tm(S.label)?S.label(n,_,ve,De):S.label;u.fillText(ar,k,Z),u.restore()}if(De==0)continue;let Ne=w[S.scale],Ue=I==0?X:he,it=I==0?R:v,Mt=S._splits,vt=Ne.distr==2?Mt.map(qn=>oi[qn]):Mt,mt=Ne.distr==2?oi[Mt[1]]-oi[Mt[0]]:ve,Ye=S.ticks,We=S.border,Ht=Ye.show?Ye.size:0,Qt=yn(Ht*Et),An=yn((S.alignTo==2?S._size-Ht-S.gap:S.gap)*Et),Nt=S._rotate*-ul/180,en=g(S._pos*Et),ai=(Qt+An)*fe,Xn=en+ai;Z=I==0?Xn:0,k=I==1?Xn:0;let Si=S.font[0],Pi=S.align==1?qr:S.align==2?bu:Nt>0?qr:Nt<0?bu:I==0?"center":C==3?bu:qr,Zi=Nt||I==1?"middle":C==2?"top":dp;Le(Si,ae,Pi,Zi);let li=S.font[1]*S.lineGap,Mi=Mt.map(qn=>g(a(qn,Ne,Ue,it))),Ii=S._values;for(let qn=0;qn<Ii.length;qn++){let ci=Ii[qn];if(ci!=null){I==0?k=Mi[qn]:Z=Mi[qn],ci=""+ci;let ar=ci.indexOf(`
`)==-1?[ci]:ci.split(/\n/gm);for(let $n=0;$n<ar.length;$n++){let rp=ar[$n];Nt?(u.save(),u.translate(k,Z+$n*li),u.rotate(Nt),u.fillText(rp,0,0),u.restore()):u.fillText(rp,k,Z+$n*li)}}}Ye.show&&cn(Mi,Ye.filter(n,vt,_,De,mt),I,C,en,Qt,Ot(Ye.width*Et,3),Ye.stroke(n,_),Ye.dash,Ye.cap);let Ki=S.grid;Ki.show&&cn(Mi,Ki.filter(n,vt,_,De,mt),I,I==0?2:1,I==0?v:R,I==0?he:X,Ot(Ki.width*Et,3),Ki.stroke(n,_),Ki.dash,Ki.cap),We.show&&cn([en],[1],I==0?1:0,I==0?1:2,I==1?v:R,I==1?he:X,Ot(We.width*Et,3),We.stroke(n,_),We.dash,We.cap)}Tn("drawAxes")}function ct(_){b.forEach((S,C)=>{C>0&&(S._paths=null,_&&(s==1?(S.min=null,S.max=null):S.facets.forEach(I=>{I.min=null,I.max=null})))})}let jt=!1,Wn=!1,It=[];function hn(){Wn=!1;for(let _=0;_<It.length;_++)Tn(...It[_]);It.length=0}function kn(){jt||(E_(Vf),jt=!0)}function ja(_,S=!1){jt=!0,Wn=S,_(n),Vf(),S&&It.length>0&&queueMicrotask(hn)}n.batch=ja;function Vf(){if(oe&&(dt(),oe=!1),xe&&(we(),xe=!1),_e){if(Wt(f,qr,$e),Wt(f,"top",rt),Wt(f,Jo,U),Wt(f,jo,Ce),Wt(m,qr,$e),Wt(m,"top",rt),Wt(m,Jo,U),Wt(m,jo,Ce),Wt(d,Jo,Kt),Wt(d,jo,an),h.width=yn(Kt*Et),h.height=yn(an*Et),A.forEach(({_el:_,_show:S,_size:C,_pos:I,side:k})=>{if(_!=null)if(S){let Z=k===3||k===0?C:0,ae=k%2==1;Wt(_,ae?"left":"top",I-Z),Wt(_,ae?"width":"height",C),Wt(_,ae?"top":"left",ae?rt:$e),Wt(_,ae?"height":"width",ae?Ce:U),Pu(_,dr)}else hi(_,dr)}),Lr=Ps=Dr=O=j=$=Y=Ee=M=null,Ie=1,Ho(!0),$e!=Me||rt!=Ft||U!=ze||Ce!=Xe){ct(!1);let _=U/ze,S=Ce/Xe;if(me&&!te&&ue.left>=0){ue.left*=_,ue.top*=S,Fr&&ji(Fr,yn(ue.left),0,U,Ce),Ur&&ji(Ur,0,yn(ue.top),U,Ce);for(let C=0;C<at.length;C++){let I=at[C];I!=null&&(zt[C]*=_,Hn[C]*=S,ji(I,Ei(zt[C]),Ei(Hn[C]),U,Ce))}}if(Gt.show&&!ie&&Gt.left>=0&&Gt.width>0){Gt.left*=_,Gt.width*=_,Gt.top*=S,Gt.height*=S;for(let C in cu)Wt(Br,C,Gt[C])}Me=$e,Ft=rt,ze=U,Xe=Ce}Tn("setSize"),_e=!1}Kt>0&&an>0&&(u.clearRect(0,0,h.width,h.height),Tn("drawClear"),E.forEach(_=>_()),Tn("draw")),Gt.show&&ie&&(Qa(Gt),ie=!1),me&&te&&(or(null,!0,!1),te=!1),de.show&&de.live&&pe&&(au(),pe=!1),l||(l=!0,n.status=1,Tn("ready")),Cs=!1,jt=!1}n.redraw=(_,S)=>{xe=S||!1,_!==!1?Ls(T,L.min,L.max):kn()};function su(_,S){let C=w[_];if(C.from==null){if(Jt==0){let I=C.range(n,S.min,S.max,_);S.min=I[0],S.max=I[1]}if(S.min>S.max){let I=S.min;S.min=S.max,S.max=I}if(Jt>1&&S.min!=null&&S.max!=null&&S.max-S.min<1e-16)return;_==T&&C.distr==2&&Jt>0&&(S.min=Ni(S.min,e[0]),S.max=Ni(S.max,e[0]),S.min==S.max&&S.max++),G[_]=S,oe=!0,kn()}}n.setScale=su;let ru,ou,Fr,Ur,Gf,Hf,Or,kr,Wf,Xf,Vt,$t,Is=!1,In=ue.drag,wn=In.x,En=In.y;me&&(ue.x&&(ru=wi(Zg,m)),ue.y&&(ou=wi(Kg,m)),L.ori==0?(Fr=ru,Ur=ou):(Fr=ou,Ur=ru),Vt=ue.left,$t=ue.top);let Gt=n.select=dn({show:!0,over:!0,left:0,width:0,top:0,height:0},i.select),Br=Gt.show?wi(Yg,Gt.over?m:f):null;function Qa(_,S){if(Gt.show){for(let C in _)Gt[C]=_[C],C in cu&&Wt(Br,C,_[C]);S!==!1&&Tn("setSelect")}}n.setSelect=Qa;function _g(_){if(b[_].show)ee&&Pu(st[_],dr);else if(ee&&hi(st[_],dr),me){let C=Re?at[0]:at[_];C!=null&&ji(C,-10,-10,U,Ce)}}function Ls(_,S,C){su(_,{min:S,max:C})}function $i(_,S,C,I){S.focus!=null&&Sg(_),S.show!=null&&b.forEach((k,Z)=>{Z>0&&(_==Z||_==null)&&(k.show=S.show,_g(Z),s==2?(Ls(k.facets[0].scale,null,null),Ls(k.facets[1].scale,null,null)):Ls(k.scale,null,null),kn())}),C!==!1&&Tn("setSeries",_,S),I&&Wo("setSeries",n,_,S)}n.setSeries=$i;function yg(_,S){dn(P[_],S)}function xg(_,S){_.fill=yt(_.fill||null),_.dir=St(_.dir,-1),S=S??P.length,P.splice(S,0,_)}function vg(_){_==null?P.length=0:P.splice(_,1)}n.addBand=xg,n.setBand=yg,n.delBand=vg;function bg(_,S){b[_].alpha=S,me&&at[_]!=null&&(at[_].style.opacity=S),ee&&st[_]&&(st[_].style.opacity=S)}let ds,Ds,rr,zr={focus:!0};function Sg(_){if(_!=rr){let S=_==null,C=Oe.alpha!=1;b.forEach((I,k)=>{if(s==1||k>0){let Z=S||k==0||k==_;I._focus=S?null:Z,C&&bg(k,Z?1:Oe.alpha)}}),rr=_,C&&kn()}}ee&&Ke&&xt(gp,Ae,_=>{ue._lock||(Ze(_),rr!=null&&$i(null,zr,!0,un.setSeries))});function Yi(_,S,C){let I=w[S];C&&(_=_/Et-(I.ori==1?rt:$e));let k=U;I.ori==1&&(k=Ce,_=k-_),I.dir==-1&&(_=k-_);let Z=I._min,ae=I._max,fe=_/k,ve=Z+(ae-Z)*fe,De=I.distr;return De==3?Zr(10,ve):De==4?f_(ve,I.asinh):De==100?I.bwd(ve):ve}function Mg(_,S){let C=Yi(_,T,S);return Ni(C,e[0],nn,sn)}n.valToIdx=_=>Ni(_,e[0]),n.posToIdx=Mg,n.posToVal=Yi,n.valToPos=(_,S,C)=>w[S].ori==0?r(_,w[S],C?X:U,C?R:0):o(_,w[S],C?he:Ce,C?v:0),n.setCursor=(_,S,C)=>{Vt=_.left,$t=_.top,or(null,S,C)};function qf(_,S){Wt(Br,qr,Gt.left=_),Wt(Br,Jo,Gt.width=S)}function $f(_,S){Wt(Br,"top",Gt.top=_),Wt(Br,jo,Gt.height=S)}let Vo=L.ori==0?qf:$f,Go=L.ori==1?qf:$f;function wg(){if(ee&&de.live)for(let _=s==2?1:0;_<b.length;_++){if(_==0&&lt)continue;let S=de.values[_],C=0;for(let I in S)Ve[_][C++].firstChild.nodeValue=S[I]}}function au(_,S){if(_!=null&&(_.idxs?_.idxs.forEach((C,I)=>{se[I]=C}):__(_.idx)||se.fill(_.idx),de.idx=se[0]),ee&&de.live){for(let C=0;C<b.length;C++)(C>0||s==1&&!lt)&&Eg(C,se[C]);wg()}pe=!1,S!==!1&&Tn("setLegend")}n.setLegend=au;function Eg(_,S){let C=b[_],I=_==0&&H==2?oi:e[_],k;lt?k=C.values(n,_,S)??nt:(k=C.value(n,S==null?null:I[S],_,S),k=k==null?nt:{_:k}),de.values[_]=k}function or(_,S,C){Wf=Vt,Xf=$t,[Vt,$t]=ue.move(n,Vt,$t),ue.left=Vt,ue.top=$t,me&&(Fr&&ji(Fr,yn(Vt),0,U,Ce),Ur&&ji(Ur,0,yn($t),U,Ce));let I,k=nn>sn;ds=Ut,Ds=null;let Z=L.ori==0?U:Ce,ae=L.ori==1?U:Ce;if(Vt<0||Jt==0||k){I=ue.idx=null;for(let fe=0;fe<b.length;fe++){let ve=at[fe];ve!=null&&ji(ve,-10,-10,U,Ce)}Ke&&$i(null,zr,!0,_==null&&un.setSeries),de.live&&(se.fill(I),pe=!0)}else{let fe,ve,De;s==1&&(fe=L.ori==0?Vt:$t,ve=Yi(fe,T),I=ue.idx=Ni(ve,e[0],nn,sn),De=W(e[0][I],L,Z,0));let Ne=-10,Ue=-10,it=0,Mt=0,vt=!0,mt="",Ye="";for(let We=s==2?1:0;We<b.length;We++){let Ht=b[We],Qt=se[We],An=Qt==null?null:s==1?e[We][Qt]:e[We][1][Qt],Nt=ue.dataIdx(n,We,I,ve),en=Nt==null?null:s==1?e[We][Nt]:e[We][1][Nt];if(pe=pe||en!=An||Nt!=Qt,se[We]=Nt,We>0&&Ht.show){let ai=Nt==null?-10:Nt==I?De:W(s==1?e[0][Nt]:e[We][0][Nt],L,Z,0),Xn=en==null?-10:D(en,s==1?w[Ht.scale]:w[Ht.facets[1].scale],ae,0);if(Ke&&en!=null){let Si=L.ori==1?Vt:$t,Pi=xn(Oe.dist(n,We,Nt,Xn,Si));if(Pi<ds){let Zi=Oe.bias;if(Zi!=0){let li=Yi(Si,Ht.scale),Mi=en>=0?1:-1,Ii=li>=0?1:-1;Ii==Mi&&(Ii==1?Zi==1?en>=li:en<=li:Zi==1?en<=li:en>=li)&&(ds=Pi,Ds=We)}else ds=Pi,Ds=We}}if(pe||Re){let Si,Pi;L.ori==0?(Si=ai,Pi=Xn):(Si=Xn,Pi=ai);let Zi,li,Mi,Ii,Ki,qn,ci=!0,ar=le.bbox;if(ar!=null){ci=!1;let $n=ar(n,We);Mi=$n.left,Ii=$n.top,Zi=$n.width,li=$n.height}else Mi=Si,Ii=Pi,Zi=li=le.size(n,We);if(qn=le.fill(n,We),Ki=le.stroke(n,We),Re)We==Ds&&ds<=Oe.prox&&(Ne=Mi,Ue=Ii,it=Zi,Mt=li,vt=ci,mt=qn,Ye=Ki);else{let $n=at[We];$n!=null&&(zt[We]=Mi,Hn[We]=Ii,Mp($n,Zi,li,ci),bp($n,qn,Ki),ji($n,Ei(Mi),Ei(Ii),U,Ce))}}}}if(Re){let We=Oe.prox,Ht=rr==null?ds<=We:ds>We||Ds!=rr;if(pe||Ht){let Qt=at[0];Qt!=null&&(zt[0]=Ne,Hn[0]=Ue,Mp(Qt,it,Mt,vt),bp(Qt,mt,Ye),ji(Qt,Ei(Ne),Ei(Ue),U,Ce))}}}if(Gt.show&&Is)if(_!=null){let[fe,ve]=un.scales,[De,Ne]=un.match,[Ue,it]=_.cursor.sync.scales,Mt=_.cursor.drag;if(wn=Mt._x,En=Mt._y,wn||En){let{left:vt,top:mt,width:Ye,height:We}=_.select,Ht=_.scales[Ue].ori,Qt=_.posToVal,An,Nt,en,ai,Xn,Si=fe!=null&&De(fe,Ue),Pi=ve!=null&&Ne(ve,it);Si&&wn?(Ht==0?(An=vt,Nt=Ye):(An=mt,Nt=We),en=w[fe],ai=W(Qt(An,Ue),en,Z,0),Xn=W(Qt(An+Nt,Ue),en,Z,0),Vo(Fi(ai,Xn),xn(Xn-ai))):Vo(0,Z),Pi&&En?(Ht==1?(An=vt,Nt=Ye):(An=mt,Nt=We),en=w[ve],ai=D(Qt(An,it),en,ae,0),Xn=D(Qt(An+Nt,it),en,ae,0),Go(Fi(ai,Xn),xn(Xn-ai))):Go(0,ae)}else hu()}else{let fe=xn(Wf-Gf),ve=xn(Xf-Hf);if(L.ori==1){let it=fe;fe=ve,ve=it}wn=In.x&&fe>=In.dist,En=In.y&&ve>=In.dist;let De=In.uni;De!=null?wn&&En&&(wn=fe>=De,En=ve>=De,!wn&&!En&&(ve>fe?En=!0:wn=!0)):In.x&&In.y&&(wn||En)&&(wn=En=!0);let Ne,Ue;wn&&(L.ori==0?(Ne=Or,Ue=Vt):(Ne=kr,Ue=$t),Vo(Fi(Ne,Ue),xn(Ue-Ne)),En||Go(0,ae)),En&&(L.ori==1?(Ne=Or,Ue=Vt):(Ne=kr,Ue=$t),Go(Fi(Ne,Ue),xn(Ue-Ne)),wn||Vo(0,Z)),!wn&&!En&&(Vo(0,0),Go(0,0))}if(In._x=wn,In._y=En,_==null){if(C){if(sp!=null){let[fe,ve]=un.scales;un.values[0]=fe!=null?Yi(L.ori==0?Vt:$t,fe):null,un.values[1]=ve!=null?Yi(L.ori==1?Vt:$t,ve):null}Wo(Su,n,Vt,$t,U,Ce,I)}if(Ke){let fe=C&&un.setSeries,ve=Oe.prox;rr==null?ds<=ve&&$i(Ds,zr,!0,fe):ds>ve?$i(null,zr,!0,fe):Ds!=rr&&$i(Ds,zr,!0,fe)}}pe&&(de.idx=I,au()),S!==!1&&Tn("setCursor")}let Ns=null;Object.defineProperty(n,"rect",{get(){return Ns==null&&Ho(!1),Ns}});function Ho(_=!1){_?Ns=null:(Ns=m.getBoundingClientRect(),Tn("syncRect",Ns))}function Yf(_,S,C,I,k,Z,ae){ue._lock||Is&&_!=null&&_.movementX==0&&_.movementY==0||(lu(_,S,C,I,k,Z,ae,!1,_!=null),_!=null?or(null,!0,!0):or(S,!0,!1))}function lu(_,S,C,I,k,Z,ae,fe,ve){if(Ns==null&&Ho(!1),Ze(_),_!=null)C=_.clientX-Ns.left,I=_.clientY-Ns.top;else{if(C<0||I<0){Vt=-10,$t=-10;return}let[De,Ne]=un.scales,Ue=S.cursor.sync,[it,Mt]=Ue.values,[vt,mt]=Ue.scales,[Ye,We]=un.match,Ht=S.axes[0].side%2==1,Qt=L.ori==0?U:Ce,An=L.ori==1?U:Ce,Nt=Ht?Z:k,en=Ht?k:Z,ai=Ht?I:C,Xn=Ht?C:I;if(vt!=null?C=Ye(De,vt)?a(it,w[De],Qt,0):-10:C=Qt*(ai/Nt),mt!=null?I=We(Ne,mt)?a(Mt,w[Ne],An,0):-10:I=An*(Xn/en),L.ori==1){let Si=C;C=I,I=Si}}ve&&(S==null||S.cursor.event.type==Su)&&((C<=1||C>=U-1)&&(C=hr(C,U)),(I<=1||I>=Ce-1)&&(I=hr(I,Ce))),fe?(Gf=C,Hf=I,[Or,kr]=ue.move(n,C,I)):(Vt=C,$t=I)}let cu={width:0,height:0,left:0,top:0};function hu(){Qa(cu,!1)}let Zf,Kf,Jf,jf;function Qf(_,S,C,I,k,Z,ae){Is=!0,wn=En=In._x=In._y=!1,lu(_,S,C,I,k,Z,ae,!0,!1),_!=null&&(xt(Mu,Ru,ep,!1),Wo(pp,n,Or,kr,U,Ce,null));let{left:fe,top:ve,width:De,height:Ne}=Gt;Zf=fe,Kf=ve,Jf=De,jf=Ne}function ep(_,S,C,I,k,Z,ae){Is=In._x=In._y=!1,lu(_,S,C,I,k,Z,ae,!1,!0);let{left:fe,top:ve,width:De,height:Ne}=Gt,Ue=De>0||Ne>0,it=Zf!=fe||Kf!=ve||Jf!=De||jf!=Ne;if(Ue&&it&&Qa(Gt),In.setScale&&Ue&&it){let Mt=fe,vt=De,mt=ve,Ye=Ne;if(L.ori==1&&(Mt=ve,vt=Ne,mt=fe,Ye=De),wn&&Ls(T,Yi(Mt,T),Yi(Mt+vt,T)),En)for(let We in w){let Ht=w[We];We!=T&&Ht.from==null&&Ht.min!=Ut&&Ls(We,Yi(mt+Ye,We),Yi(mt,We))}hu()}else ue.lock&&(ue._lock=!ue._lock,or(S,!0,_!=null));_!=null&&(mn(Mu,Ru),Wo(Mu,n,Vt,$t,U,Ce,null))}function Tg(_,S,C,I,k,Z,ae){if(ue._lock)return;Ze(_);let fe=Is;if(Is){let ve=!0,De=!0,Ne=10,Ue,it;L.ori==0?(Ue=wn,it=En):(Ue=En,it=wn),Ue&&it&&(ve=Vt<=Ne||Vt>=U-Ne,De=$t<=Ne||$t>=Ce-Ne),Ue&&ve&&(Vt=Vt<Or?0:U),it&&De&&($t=$t<kr?0:Ce),or(null,!0,!0),Is=!1}Vt=-10,$t=-10,se.fill(null),or(null,!0,!0),fe&&(Is=fe)}function tp(_,S,C,I,k,Z,ae){ue._lock||(Ze(_),zo(),hu(),_!=null&&Wo(_p,n,Vt,$t,U,Ce,null))}function np(){A.forEach(Dy),F(n.width,n.height,!0)}fr(dl,Yr,np);let Vr={};Vr.mousedown=Qf,Vr.mousemove=Yf,Vr.mouseup=ep,Vr.dblclick=tp,Vr.setSeries=(_,S,C,I)=>{let k=un.match[2];C=k(n,S,C),C!=-1&&$i(C,I,!0,!1)},me&&(xt(pp,m,Qf),xt(Su,m,Yf),xt(mp,m,_=>{Ze(_),Ho(!1)}),xt(gp,m,Tg),xt(_p,m,tp),Uu.add(n),n.syncRect=Ho);let el=n.hooks=i.hooks||{};function Tn(_,S,C){Wn?It.push([_,S,C]):_ in el&&el[_].forEach(I=>{I.call(null,n,S,C)})}(i.plugins||[]).forEach(_=>{for(let S in _.hooks)el[S]=(el[S]||[]).concat(_.hooks[S])});let ip=(_,S,C)=>C,un=dn({key:null,setSeries:!1,filters:{pub:Rp,sub:Rp},scales:[T,b[1]?b[1].scale:null],match:[Cp,Cp,ip],values:[null,null]},ue.sync);un.match.length==2&&un.match.push(ip),ue.sync=un;let sp=un.key,uu=Em(sp);function Wo(_,S,C,I,k,Z,ae){un.filters.pub(_,S,C,I,k,Z,ae)&&uu.pub(_,S,C,I,k,Z,ae)}uu.sub(n);function Ag(_,S,C,I,k,Z,ae){un.filters.sub(_,S,C,I,k,Z,ae)&&Vr[_](null,S,C,I,k,Z,ae)}n.pub=Ag;function Rg(){uu.unsub(n),Uu.delete(n),Mn.clear(),Iu(dl,Yr,np),c.remove(),Ae?.remove(),Tn("destroy")}n.destroy=Rg;function du(){Tn("init",i,e),Bo(e||i.data,!1),G[T]?su(T,G[T]):zo(),ie=Gt.show&&(Gt.width>0||Gt.height>0),te=pe=!0,F(i.width,i.height)}return b.forEach(Ir),A.forEach(ls),t?t instanceof HTMLElement?(t.appendChild(c),du()):t(n,du):du(),n}Dn.assign=dn;Dn.fmtNum=Hu;Dn.rangeNum=fl;Dn.rangeLog=gl;Dn.rangeAsinh=Vu;Dn.orient=mr;Dn.pxRatio=Et;Dn.join=w_;Dn.fmtDate=Xu,Dn.tzDate=F_;Dn.sync=Em;{Dn.addGap=_y,Dn.clipGaps=xl;let i=Dn.paths={points:Im};i.linear=Dm,i.stepped=vy,i.bars=by,i.spline=My}function fn(i,e){let t=0,n=i.length;for(;t<n;){let s=t+n>>>1;i[s]<=e?t=s+1:n=s}return t}function gs(i,e){let t=0,n=i.length;for(;t<n;){let s=t+n>>>1;i[s]<e?t=s+1:n=s}return t}function Om(i,e,t,n){let s=i.between(e,t,n*4);if(!s)return ju(new Float64Array(0),new Float32Array(0),new Float32Array(0),e,t);let{level:r,first:o,end:a}=s;if(a-o<=n*2)return ju(r.time.subarray(o,a),r.low.subarray(o,a),r.high.subarray(o,a),e,t);let c=new Float64Array(n+2),h=new Float32Array(n+2),u=new Float32Array(n+2),d=-1,f=Number.NEGATIVE_INFINITY,m=n/(t-e);for(let x=o;x<a;x++){let g=Math.min(Math.max(Math.floor((r.time[x]-e)*m),-1),n);if(g!==f){f=g,d++,c[d]=r.time[x],h[d]=r.low[x],u[d]=r.high[x];continue}h[d]<=r.low[x]||(h[d]=r.low[x]),u[d]>=r.high[x]||(u[d]=r.high[x])}return d++,ju(c.subarray(0,d),h.subarray(0,d),u.subarray(0,d),e,t)}function ju(i,e,t,n,s){let r=Number.POSITIVE_INFINITY,o=Number.NEGATIVE_INFINITY;for(let a=0;a<i.length;a++)if(!(i[a]<n&&a+1<i.length&&i[a+1]<=n)){if(i[a]>s)break;e[a]<r&&(r=e[a]),t[a]>o&&(o=t[a])}return{time:i,low:e,high:t,count:i.length,least:r,most:o}}var Ny={solid:[],dashed:[6,4],dotted:[2,3],thin:[]},ia=3.6,Ml=.8,Fy=2.5,Uy=["ssthresh","pacing_rate"],wl=class{constructor(e,t,n,s,r,o){this.panel=e;this.store=t;this.changes=n;this.duration=s;this.last=r;this.absence=o;this.values=e.series.map(()=>q("b")),this.holder=q("div",{class:"plot-area"});let a=q("h2",{},e.title,e.unit?q("small",{},` ${e.unit}`):"");this.header=q("header",{},a,this.legend());let l=`${e.title}${e.unit?` in ${e.unit}`:""}`;this.root=q("section",{class:"plot","aria-label":l},this.header,this.holder),this.cursor=q("div",{class:"now","aria-hidden":"true"}),this.plot=new Dn(this.options(),[[0,1],[null,null]],this.holder),this.plot.over.append(this.cursor),this.plot.over.addEventListener("click",({offsetX:c})=>{t.set({time:this.plot.posToVal(c,"x")})}),this.plot.over.addEventListener("dblclick",()=>t.set({from:0,to:this.duration})),this.plot.over.addEventListener("wheel",c=>this.wheel(c),{passive:!1})}panel;store;changes;duration;last;absence;root;plot;cursor;values;dots=[];swatches=[];header;holder;outlines=[];theme=Zt();range=[0,1];x=[0,1];place=Number.NaN;legendValues(){let{time:e}=this.store.state;return this.panel.series.map(({label:t,run:n,flow:s,quantity:r,curve:o})=>({panel:this.panel.name,series:t,run:n,flow:s,quantity:r,value:o.at(e)}))}draw(e,t,n){let s=n+(this.last?bt(1.4):0);this.theme=Zt();let r=Math.min(e.from,e.to-1e-9);this.x=[r,e.to];let o=Math.max(50,Math.round((t-bt(ia+Ml))*devicePixelRatio));this.outlines=this.panel.series.map(({curve:a})=>Om(a,r,e.to,o)),this.range=this.scale(),(this.plot.width!==t||this.plot.height!==s)&&this.plot.setSize({width:t,height:s}),this.plot.batch(()=>{this.plot.setScale("x",{min:r,max:e.to}),this.plot.setScale("y",{min:this.range[0],max:this.range[1]})}),this.place=Number.NaN,this.paintLegend()}get head(){return this.header.offsetHeight}moment(e){let t=Math.round(this.plot.valToPos(e,"x")*2)/2;if(t!==this.place){this.place=t;let n=t>=0&&t<=this.plot.over.clientWidth;this.cursor.style.display=n?"":"none",this.cursor.style.transform=`translateX(${t}px)`}for(let[n,{curve:s,quantity:r,run:o,flow:a}]of this.panel.series.entries()){let l=s.at(e),c=l===null?this.absence(o,a,e):null,h=c&&r==="cwnd"?c:null;wt(this.values[n],h??(l===null&&r==="ssthresh"&&!c?"none":_n(l)))}}destroy(){this.plot.destroy(),this.root.remove()}legend(){let{series:e}=this.panel,t=new Map;for(let[n,{quantity:s,key:r,label:o,stroke:a}]of e.entries()){let l=t.get(r);if(!l){let h=q("i",{class:`swatch ${a}`,"aria-hidden":"true"});this.swatches.push(h),l=q("span",{class:"key"},h,`${r} `),t.set(r,l)}let c=q("i",{class:"flow-colour","aria-hidden":"true",hidden:!this.panel.many});this.dots.push(c),l.append(q("span",{class:"value",title:o,"data-quantity":s},c,this.values[n]))}return q("div",{class:"legend"},...t.values())}paintLegend(){let e=this.panel.series.map(t=>vu(t,this.theme.dark));for(let[t,n]of this.dots.entries())n.style.backgroundColor=e[t];for(let[t,n]of this.swatches.entries())n.style.borderTopColor=this.panel.many?this.theme.muted:e[t]}scale(){let e=Math.min(...this.outlines.map(a=>a.least)),t=a=>Math.max(...this.outlines.filter((l,c)=>a(this.panel.series[c])).map(l=>l.most)),[n,s]=[t(()=>!0),t(({quantity:a})=>!Uy.includes(a))],r=s>0?Math.min(n,s*Fy):n;if(!(r>=e))return[0,1];let o=(r-e)*.12;return this.panel.name==="rtt"&&e>o&&r-e<e/2?[e-o,r+(o||1)]:[Math.min(0,e),r>0?r*1.08:1]}options(){let e=()=>({stroke:()=>this.theme.muted,grid:{stroke:()=>this.theme.grid,width:1},ticks:{show:!1},font:`${bt(.72)}px system-ui, sans-serif`,gap:bt(.3)});return{width:300,height:100,legend:{show:!1},padding:[bt(.5),bt(Ml),this.last?0:bt(.5),0],cursor:{sync:{key:"bentpipe"},drag:{x:!0,y:!1,setScale:!1},points:{show:!1},y:!1},scales:{x:{time:!1,range:()=>this.x},y:{range:()=>this.range}},axes:[{...e(),show:this.last,size:bt(1.4),space:bt(4.5),values:(t,n)=>n.map(s=>`${+s.toPrecision(10)}`)},{...e(),size:bt(ia),space:bt(1.15),values:(t,n)=>n.map(Oy)}],series:[{},{show:!0,points:{show:!1}}],hooks:{draw:[()=>this.paint()],setSelect:[()=>this.select()]}}}paint(){if(this.outlines.length===0)return;let{ctx:e,bbox:t}=this.plot,n=devicePixelRatio*bt(1/16);e.save(),e.beginPath(),e.rect(t.left,t.top,t.width,t.height),e.clip(),this.paintMarks();for(let[s,r]of this.panel.series.entries())e.strokeStyle=vu(r,this.theme.dark),e.fillStyle=e.strokeStyle,e.lineWidth=(r.stroke==="thin"?1:1.6)*n,e.globalAlpha=r.stroke==="thin"?.75:1,e.lineJoin="bevel",e.setLineDash(Ny[r.stroke].map(o=>o*n)),this.trace(this.outlines[s],r.curve.step);e.restore()}paintMarks(){let{ctx:e,bbox:t}=this.plot,[n,s]=this.x;e.fillStyle=this.theme.muted;for(let r of this.changes){let o=Number.NEGATIVE_INFINITY;for(let a=Math.max(0,fn(r.time,n)-1);r.time[a]<=s;a++){let l=r.until(a);if((l??r.time[a])<n)continue;let c=this.plot.valToPos(r.time[a],"x",!0),h=l===null?c:this.plot.valToPos(l,"x",!0);if(h-o<1)continue;o=h;let u=r.kind(a);e.globalAlpha=u==="outage"?.22:u==="handover"?.6:.3,e.fillRect(c,t.top,Math.max(h-c,devicePixelRatio),t.height)}}e.globalAlpha=1}trace(e,t){let{ctx:n}=this.plot,s=this.plot.valToPos(this.x[0],"x",!0),r=this.plot.valToPos(this.range[0],"y",!0),o=(this.plot.valToPos(this.x[1],"x",!0)-s)/(this.x[1]-this.x[0]),a=(this.plot.valToPos(this.range[1],"y",!0)-r)/(this.range[1]-this.range[0]),l=u=>r+(u-this.range[0])*a;n.beginPath();let c=!1,h=s;for(let u=0;u<e.count;u++){let[d,f]=[e.low[u],e.high[u]];if(Number.isNaN(f)){c=!1;continue}let m=s+(e.time[u]-this.x[0])*o;c?(t&&n.lineTo(h,l(d)),n.lineTo(m,l(d))):n.moveTo(m,l(d)),f!==d&&n.lineTo(m,l(f)),h=m,c=!0}n.stroke()}select(){let{left:e,width:t}=this.plot.select;if(t<4)return;let n=this.plot.posToVal(e,"x"),s=this.plot.posToVal(e+t,"x");this.plot.setSelect({left:0,top:0,width:0,height:0},!1),this.store.set({from:n,to:s})}wheel(e){let t=e.deltaX!==0||e.shiftKey;if(!e.ctrlKey&&!t)return;e.preventDefault();let{from:n,to:s}=this.store.state,r=(e.deltaX||e.deltaY)/500;if(!e.ctrlKey){let l=Math.min(Math.max(r*(s-n),-n),Math.max(this.duration-s,0));this.store.set({from:n+l,to:s+l});return}let o=this.plot.posToVal(e.offsetX,"x"),a=Math.exp(r*2);this.store.set({from:Math.max(0,o-(o-n)*a),to:Math.min(Math.max(this.duration,s),o+(s-o)*a)})}};function Oy(i){let e=Math.abs(i);return e>=1e6?`${+(i/1e6).toPrecision(4)} M`:e>=1e4?`${+(i/1e3).toPrecision(4)} k`:`${+i.toPrecision(6)}`}var gt=class extends Error{name="SceneError"};var Qu=class{constructor(e,t,n,s,r){this.time=t;this.start=n;this.nodes=s;this.rtt=r;this.flow=e.flow}time;start;nodes;rtt;flow;number(e){return fn(this.time,e)-1}way(e){if(e<0||e>=this.time.length)return null;let t=this.rtt[e];return{since_s:this.time[e],nodes:this.nodes.subarray(this.start[e],this.start[e+1]),rtt_ms:Number.isFinite(t)?t:null}}at(e){let t=this.number(e),n=this.way(t);if(!n)return{now:null,before:null};for(;t>0&&ed(this.way(t-1).nodes,n.nodes);)t--;return{now:{...n,since_s:this.time[t]},before:this.way(t-1)}}};function ed(i,e){return i.length===e.length&&i.every((t,n)=>t===e[n])}function km(i,e,t,n){let s=t.f64(i.time,`${n}.time`),r=t.u32(i.node_start,`${n}.node_start`),o=t.u32(i.nodes,`${n}.nodes`),a=t.f32(i.rtt_ms,`${n}.rtt_ms`);if(r.length!==s.length+1||a.length!==s.length||(r.at(-1)??0)>o.length)throw new gt(`${n}: times, round trips and nodes have different lengths`);for(let l of o)if(!e.has(l))throw new gt(`${n} leads over node ${l}, which is not in the list`);return new Qu(i,s,r,o,a)}var sa=["cut","timeout","mark","spurious","unused"],El=class{constructor(e,t,n,s){this.path=e;this.duration=n;this.name=s;let r=t.end_s??n;for(let o=0;o<e.time.length;o++){let a=o===0?e.way(0).nodes.length===0:!ed(e.way(o-1).nodes,e.way(o).nodes),l=this.lasts(o)??e.time[o];a&&l>=t.start_s&&e.time[o]<=r&&this.numbers.push(o)}this.time=Float64Array.from(this.numbers,o=>e.time[o]),this.kinds=new Set(this.numbers.map(o=>this.of(o)))}path;duration;name;time;kinds;numbers=[];kind(e){return this.of(this.numbers[e])}until(e){return this.lasts(this.numbers[e])}text(e){let t=this.numbers[e],[n,s]=[this.path.way(t-1),this.path.way(t)];if(s.nodes.length===0)return"no path";let r=n&&n.nodes.length>0&&n.rtt_ms!==null&&s.rtt_ms!==null?`; propagation RTT ${s.rtt_ms.toFixed(1)} ms`:"";return this.of(t)!=="handover"?`${n&&n.nodes.length>0?"new path:":"the path returns:"} ${[...s.nodes].map(this.name).join(" > ")}${r}`:`${[0,-1].flatMap(a=>{let l=a===0?1:-2,[c,h,u]=[s.nodes.at(a),n.nodes.at(l),s.nodes.at(l)];return h===u?[]:[`${this.name(c)}: ${this.name(h)} → ${this.name(u)}`]}).join("; ")}${r}`}since(e){let t=fn(this.time,e)-1;if(t<0||e-this.time[t]>ky)return"";let s={handover:"a handover",outage:"the path was lost"}[this.kind(t)]??"the path changed";return`, ${(e-this.time[t]).toFixed(3)} s after ${s}`}of(e){let[t,n]=[this.path.way(e-1),this.path.way(e)];return n.nodes.length===0?"outage":!t||t.nodes.length===0?"path":t.nodes.at(1)!==n.nodes.at(1)||t.nodes.at(-2)!==n.nodes.at(-2)?"handover":"path"}lasts(e){return this.path.way(e).nodes.length>0?null:this.path.time[e+1]??this.duration}},ky=2,By={start:"the flow starts",stop:"the flow stops",complete:"the transfer is complete"},Bm={loss:"a loss",mark:"an ECN mark",timeout:"a retransmission timeout",unknown:"congestion"},zy={queue:"a packet that a full queue dropped",error:"a packet lost to a link error",outage:"a packet lost to an outage",policer:"a packet that a policer dropped",too_large:"a packet larger than the MTU of a link",none:"a spurious retransmission"},Tl=class{constructor(e,t,n,s){this.file=e;this.changes=s;this.time=t.f64(e.time,`${n}.time`),this.codes=t.u32(e.kind,`${n}.kind`),this.reasons=t.u32(e.reason,`${n}.reason`),this.before=t.f32(e.before,`${n}.before`),this.after=t.f32(e.after,`${n}.after`),this.kinds=new Set([...new Set(this.codes)].map(r=>e.kinds[r]));for(let r of[this.codes,this.reasons,this.before,this.after])if(r.length!==this.time.length)throw new gt(`${n}: its columns have different lengths`)}file;changes;time;kinds;codes;reasons;before;after;kind(e){return this.file.kinds[this.codes[e]]}until(){return null}text(e){let t=this.kind(e),n=By[t];if(n)return n;let s=this.changes?.since(this.time[e])??"";if(t==="timeout")return`retransmission timeout${s}`;if(t==="mark")return`the controller responds to an ECN mark${s}`;if(t==="spurious")return`the reduction is undone: nothing was lost${s}`;let r=`window ${this.before[e].toFixed(0)} → ${this.after[e].toFixed(0)} segments`;if(t==="unused")return`${r}: the flow did not use the window`;let o=this.file.reasons[this.reasons[e]],a=zy[o]??Bm[o]??Bm.unknown;return`${r}, for ${a}${s}`}};var Vy=4,td=5,Al=class{constructor(e){this.store=e;this.root=q("section",{class:"strip","aria-label":"Events"},this.canvas,this.cursor,this.key,this.said),this.context=this.canvas.getContext("2d"),this.canvas.addEventListener("click",t=>e.set({time:this.time(t)})),this.canvas.addEventListener("pointermove",t=>this.hover(t)),this.canvas.addEventListener("pointerleave",()=>wt(this.said,""))}store;root;canvas=q("canvas",{role:"img"});cursor=q("div",{class:"now","aria-hidden":"true"});said=q("p",{class:"strip-said","aria-live":"off"});key=q("p",{class:"strip-key","aria-hidden":"true"});context;x={left:0,width:1,from:0,to:1};ratio=1;run=null;draw(e,t,n){this.run=t,this.ratio=devicePixelRatio;let s=this.rows(e,t),r=bt(1.05),o=s.length*r;this.canvas.width=Math.round(n*this.ratio),this.canvas.height=Math.round(o*this.ratio),this.canvas.style.width=`${n}px`,this.canvas.style.height=`${o}px`,this.x={left:bt(ia),width:n-bt(ia+Ml),from:e.from,to:e.to};let{context:a,ratio:l}=this;a.setTransform(l,0,0,l,0,0),a.clearRect(0,0,n,o),a.font=`${bt(.7)}px system-ui, sans-serif`,a.textBaseline="middle";let c=Zt();for(let[h,{label:u,paint:d}]of s.entries())a.save(),a.fillStyle=c.muted,a.textAlign="right",a.fillText(u,this.x.left-bt(.4),h*r+r/2,this.x.left-bt(.6)),a.textAlign="left",a.beginPath(),a.rect(this.x.left,0,this.x.width,o),a.clip(),d(e.from,e.to,h*r+1,r-2),a.restore();this.explain(t,e.flows),this.canvas.setAttribute("aria-label",this.spoken(t,e)),this.moment(e.time)}moment(e){let t=this.place(e),n=t>=this.x.left-1&&t<=this.x.left+this.x.width+1;this.cursor.style.display=n?"":"none",this.cursor.style.transform=`translateX(${t}px)`}rows(e,t){let n=e.flows.slice(0,Vy),s=l=>n.length>1?t.flow.get(l)?.name??"":"",r=[];for(let l of n)t.phases(l)&&r.push({label:s(l)||"phase",paint:(...c)=>this.phases(t,l,...c)}),t.losses(l).length>0&&r.push({label:n.length>1?"":"losses",paint:(...c)=>this.losses(t,l,...c)});let o=n.flatMap(l=>t.changes(l)??[]).filter(({time:l})=>l.length>0);o.length>0&&r.push({label:"path",paint:(...l)=>this.path(o,...l)});let a=n.flatMap(l=>t.events(l)??[]).filter(l=>zm(l,sa));return a.length>0&&r.push({label:"cuts",paint:(...l)=>this.cuts(a,...l)}),r}causes(e,t){return[...new Set(e.file.losses.filter(({flow:n})=>t.includes(n)).map(({cause:n})=>n))]}explain(e,t){let{dark:n,ink:s,muted:r}=Zt(),o=(c,h,u)=>{let d=q("i",{class:c,"aria-hidden":"true"});return d.style.color=h,q("span",{},d,u)},a=t.flatMap(c=>e.stories(c)),l=c=>a.some(h=>zm(h,[c]));this.key.replaceChildren(...this.causes(e,t).map(c=>o("tick",_u(c,n),mu(c))),l("handover")?o("diamond",s,"handover"):"",l("path")?o("tick",r,"other path"):"",l("outage")?o("block",r,"outage"):"",l("cut")?o("tick",r,"cut"):"",l("unused")?o("tick low",r,"window not used"):"",l("timeout")?o("block",s,"timeout"):"")}phases(e,t,n,s,r,o){let{context:a}=this,l=e.phases(t);if(!l)return;let c=Zt(),h=Number.NEGATIVE_INFINITY;for(let u=Math.max(0,fn(l.time,n)-1);u<l.time.length&&l.time[u]<=s;u++){let[d,f,m]=[l.names[l.name[u]],l.time[u],l.time[u+1]??l.end_s];if(this.place(m)-h<.7)continue;h=this.place(m);let[x,g]=[Math.max(this.place(f),this.x.left),Math.min(this.place(m),this.x.left+this.x.width)];a.fillStyle=Ln(l.name[u],c.dark),a.globalAlpha=.3,a.fillRect(x,r,Math.max(g-x,.5),o),a.globalAlpha=.9,a.fillRect(x,r,1,o),a.globalAlpha=1,g-x-bt(.5)>a.measureText(d).width&&(a.fillStyle=c.ink,a.fillText(d,x+bt(.25),r+o/2))}}losses(e,t,n,s,r,o){let{context:a}=this,l=this.causes(e,this.store.state.flows),{dark:c}=Zt();for(let{cause:h,time:u}of e.losses(t)){a.fillStyle=_u(h,c);let d=r+l.indexOf(h)*o/l.length,f=Number.NEGATIVE_INFINITY;for(let m=Math.max(0,fn(u,n)-1);m<u.length&&u[m]<=s;m++){let x=this.place(u[m]);x-f<.5||(f=x,a.fillRect(x-.75,d,1.5,o/l.length-.3))}}}path(e,t,n,s,r){let{context:o}=this;o.fillStyle=Zt().ink;for(let{story:a,at:l,x:c}of this.seen(e,t,n)){let h=a.until(l);h!==null?(o.globalAlpha=.35,o.fillRect(c,s,Math.max(this.place(h)-c,1),r)):a.kind(l)==="handover"?(o.beginPath(),o.moveTo(c,s),o.lineTo(c+r/2,s+r/2),o.lineTo(c,s+r),o.lineTo(c-r/2,s+r/2),o.fill()):(o.globalAlpha=.7,o.fillRect(c-.75,s+r/4,1.5,r/2)),o.globalAlpha=1}}cuts(e,t,n,s,r){let{context:o}=this,a=Zt();for(let{story:l,at:c,x:h}of this.seen(e,t,n)){let u=l.kind(c);if(!sa.includes(u))continue;o.fillStyle=u==="timeout"?a.ink:a.muted;let d=u==="timeout"?3:1,f=u==="unused"?r/2:2;o.fillRect(h-d/2,s+f,d,r-f-2)}}*seen(e,t,n){for(let s of e){let r=new Map;for(let o=Math.max(0,fn(s.time,t)-1);s.time[o]<=n;o++){let[a,l]=[this.place(s.time[o]),s.kind(o)];a-(r.get(l)??Number.NEGATIVE_INFINITY)<.5||(r.set(l,a),yield{story:s,at:o,x:a})}}}place(e){let{left:t,width:n,from:s,to:r}=this.x;return t+(e-s)/(r-s)*n}time(e){let{left:t,width:n,from:s,to:r}=this.x;return s+(e.offsetX-t)/n*(r-s)}hover(e){if(!this.run)return;let t=this.time(e),n=3/this.x.width*(this.x.to-this.x.from),s=[];for(let o of this.store.state.flows){let a=this.run.phases(o)?.at(t);a&&s.push(`${this.run.flow.get(o)?.name}: ${a}`);for(let{cause:l,time:c}of this.run.losses(o)){let h=fn(c,t+n)-fn(c,t-n);h>0&&s.push(`${h} ${h===1?"packet":"packets"} ${mu(l)}`)}}for(let o of this.store.state.flows.flatMap(a=>this.run?.stories(a)??[]))for(let a=Math.max(0,gs(o.time,t-n)-1);o.time[a]<=t+n&&((o.until(a)??o.time[a])+n>=t&&s.push(o.text(a)),!(s.length>td));a++);let r=s.length>td?"; …":"";wt(this.said,s.slice(0,td).join("; ")+r)}spoken(e,{flows:t}){let n=t.flatMap(r=>e.losses(r).map(({cause:o,time:a})=>`${a.length} by ${lr[o]}`)),s=t.reduce((r,o)=>r+(e.changes(o)?.time.length??0),0);return`Phases, losses (${n.join(", ")||"none"}) and ${s} changes of the path over time`}};function zm(i,e){return e.some(t=>i.kinds.has(t))}var Gy=["run","overlaid","flows","picked","loaded"],Hy=["from","to","theme"],Rl=class{constructor(e,t,n){this.root=e;this.store=t;this.runs=n;this.strip=new Al(t),e.append(this.strip.root),new ResizeObserver(()=>this.draw()).observe(e),t.listen((s,r)=>{let o=n[s.run].paths.get(s.flows[0])?.number(s.time)??-1;Gy.some(a=>r.has(a))||o!==this.way?this.set(s):Hy.some(a=>r.has(a))&&this.draw(),r.has("time")&&this.moment(s)})}root;store;runs;plots=[];strip;empty=q("p",{class:"empty"});signature="";drawn=null;way=-1;legend(){return this.plots.flatMap(e=>e.legendValues())}set(e){let t=this.runs[e.run];this.way=t.paths.get(e.flows[0])?.number(e.time)??-1;let n=e.picked?.kind==="line"?t.lineOf.get(e.picked.key)??null:null,{picked:s}=e,r=s?.kind==="node"&&t.place.has(s.id)?{run:t,id:s.id}:null,o=cp(this.runs,e,{line:n,node:r},l=>hp(l,e.flows[0],e.time)),a=JSON.stringify([e.run,r?.id,o.map(({title:l,series:c})=>[l,c.map(({label:h})=>h)])]);if(a!==this.signature||t!==this.drawn){this.signature=a,this.drawn=t;for(let c of this.plots)c.destroy();let l=e.flows.flatMap(c=>t.changes(c)??[]);this.plots=o.map((c,h)=>new wl(c,this.store,l,t.file.duration_s,h===o.length-1,(u,d,f)=>{let{file:m,flow:x}=this.runs[u],g=d===null?void 0:x.get(d);return g?Gr(g,f,m.duration_s):null})),this.root.append(...this.plots.map(c=>c.root)),this.empty.textContent="No curves of the chosen flows were recorded.",this.plots.length===0?this.root.append(this.empty):this.empty.remove()}this.draw(),this.moment(e)}draw(){let{state:e}=this.store,t=Math.floor(this.root.clientWidth-bt(1.5));if(t<50||this.plots.length===0)return;this.strip.draw(e,this.runs[e.run],t);let n=this.strip.root.offsetHeight+this.plots.reduce((o,a)=>o+a.head,0),s=this.root.clientHeight-n-bt(2.4),r=Math.max(bt(4),Math.floor(s/this.plots.length));for(let o of this.plots)o.draw(e,t,Math.min(r,bt(18)));this.moment(e)}moment(e){this.strip.moment(e.time);for(let t of this.plots)t.moment(e.time)}};function Vm(i,e,t,n,s){return Object.freeze({scene:i,state:()=>{let{time:r,run:o,flows:a,picked:l,projection:c,playing:h,speed:u}=e.state,d=[...n.ways].flatMap(([f,{now:m}])=>{if(!m)return[];let x=[...m.nodes];return[[f,{since_s:m.since_s,nodes:x,names:x.map(g=>t[o].node(g).name),rtt_ms:m.rtt_ms}]]});return{time_s:r,run:o,flows:a,picked:l,projection:c,playing:h,speed:u,frames:n.frames,paths:Object.fromEntries(d),legend:s.legend()}},at:(r,o,a=0)=>{let l=t[a],c=u=>l.curveOfFlow(o,u)?.at(r)??null;return{way:[...l.paths.get(o)?.at(r).now?.nodes??[]].map(u=>l.node(u).name),rtt_ms:c("rtt"),propagation_rtt_ms:c("propagation_rtt"),cwnd:c("cwnd")}},where:r=>n.where(r),mesh:()=>n.meshed,seek:r=>e.set({time:r}),play:()=>e.set({playing:!0}),pause:()=>e.set({playing:!1})})}function nd(i,e,t){gr(i,[q("ul",{},...e.map(n=>q("li",{},n))),t?q("pre",{},t):null])}function gr(i,e){let t=q("dialog",{"aria-label":i}),n=q("button",{type:"button",class:"icon","aria-label":"Close (Escape)",click:()=>t.close()},"×");return t.append(q("header",{},q("h2",{},i),n),...e.filter(s=>s!==null)),t.addEventListener("close",()=>t.remove()),t.addEventListener("click",s=>{s.target===t&&t.close()}),document.body.append(t),t.showModal(),t}var Wy=12;function Hm(i,e){let t=q("input",{type:"search","aria-label":"Name",placeholder:"satellite, site, link or flow",autocomplete:"off"}),n=q("ul",{class:"hits"}),s=gr("Find",[t,n]),r=({picked:a})=>{e.set(a.kind==="flow"?{picked:a,flows:[a.id]}:{picked:a}),s.close()},o=()=>{let a=Gm(i,t.value,Wy),l=c=>q("li",{},q("button",{type:"button",click:()=>r(c)},c.name,q("small",{class:"quiet"},` ${c.kind}`)));n.replaceChildren(...a.map(l))};t.addEventListener("input",o),t.addEventListener("keydown",a=>{let[l]=Gm(i,t.value,1);a.key==="Enter"&&l&&r(l),a.key==="ArrowDown"&&n.querySelector("button")?.focus()}),o(),t.focus()}function Gm(i,e,t){let n=e.toLowerCase().split(/\s+/).filter(Boolean),s=[],r=(o,a,l)=>{let c=o.toLowerCase();n.every(h=>c.includes(h))&&s.push({name:o,kind:a,picked:l,rank:n.length>0&&c.startsWith(n[0])?0:1})};for(let{id:o,name:a}of i.file.flows)r(a,"flow",{kind:"flow",id:o});for(let{id:o,name:a,kind:l}of i.file.nodes)l!=="satellite"&&r(a,l,{kind:"node",id:o});for(let{id:o,name:a,kind:l}of i.file.nodes)l==="satellite"&&r(a,l,{kind:"node",id:o});for(let{key:o,links:a}of i.lines)r(a.map(({name:l})=>l).join(", "),"link",{kind:"line",key:o});return s.sort((o,a)=>o.rank-a.rank).slice(0,t)}function Wm({store:i,runs:e,stage:t,bar:n,header:s}){let r=()=>e[i.state.run],o=u=>{let{from:d,to:f,time:m}=i.state;i.set({time:m+u*(f-d)})},a=u=>{let{from:d,to:f,time:m}=i.state,x=Math.min((f-d)*u,r().file.duration_s),g=Math.min(Math.max(m-x/2,0),r().file.duration_s-x);i.set({from:g,to:g+x})},l=u=>{let d=r().file.flows,f=d.findIndex(({id:x})=>x===i.state.flows[0]),{id:m}=d[(f+u+d.length)%d.length];i.set({flows:[m],picked:{kind:"flow",id:m}})},c=()=>{let u=(i.state.run+1)%e.length;i.set({run:u,overlaid:i.state.overlaid.includes(u)?i.state.overlaid:[u]})},h=["utilisation","queue","none"];return[{keys:[" "],does:"play or pause",press:()=>n.toggle()},{keys:["ArrowLeft","ArrowRight"],does:"back or forward by a hundredth of the visible time range; with Shift by a tenth",press:({key:u,shiftKey:d})=>o((u==="ArrowLeft"?-1:1)*(d?.1:.01))},{keys:["p","n"],does:"previous or next event",press:({key:u})=>n.step(u==="n")},{keys:["Home","End"],does:"to the start or the end",press:({key:u})=>i.set({time:u==="Home"?0:Number.MAX_VALUE})},{keys:["-","+"],does:"play slower or faster",press:({key:u})=>n.faster(u==="-"?-1:1)},{keys:["i","o","0"],does:"curves: zoom in or out around the current time, or show everything",press:({key:u})=>a({i:.5,o:2}[u]??Number.MAX_VALUE)},{keys:["f","F"],does:"next or previous flow",press:({key:u})=>l(u==="f"?1:-1)},{keys:["r"],does:"next run",press:c},{keys:["/"],does:"find a satellite, site, link or flow by its name, and select it",press:()=>Hm(r(),i)},{keys:["Escape"],does:"end picture mode, or clear the selection",press:()=>i.state.shot?s.turnPicture():i.set({picked:null})},{keys:["h"],does:"picture mode: hide or show the controls",press:()=>s.turnPicture()},{keys:["g"],does:"globe or map",press:()=>i.set({projection:i.state.projection==="globe"?"map":"globe"})},{keys:["w","s","a","d"],does:"turn the globe, move the map",press:({key:u})=>t.turn({a:-.12,d:.12}[u]??0,{w:.1,s:-.1}[u]??0)},{keys:["x","z"],does:"zoom the globe or the map in or out",press:({key:u})=>t.zoom(u==="x"?1.15:1/1.15)},{keys:["c"],does:"colour links by utilisation, by queue, or not at all",press:()=>i.set({tint:h[(h.indexOf(i.state.tint)+1)%3]})},{keys:["m"],does:"show or hide the links that no path uses",press:()=>i.set({mesh:!Zo(r(),i.state.mesh)})},...id(s)]}function id(i){return[{keys:["l"],does:"light or dark colours",press:()=>i.turnLights()}]}var Xy={" ":"Space",ArrowLeft:"←",ArrowRight:"→",Escape:"Esc"};function sd(i){let e=[...i,{keys:["?"],does:"this list"}].map(({keys:n,does:s})=>q("tr",{},q("td",{},...n.flatMap(r=>[q("kbd",{},Xy[r]??r)," "])),q("td",{},s))),t=["Drag over a plot to zoom in; all plots follow. A double click shows everything.","Click in a plot to go to that moment. Ctrl and the wheel zoom, Shift and the wheel pan.","Drag the globe to turn it; click a satellite, a link or a site for its facts."];gr("Keys",[q("table",{class:"keys"},...e),q("ul",{class:"quiet"},...t.map(n=>q("li",{},n)))])}function Xm(i){let e=new Map(i.flatMap(t=>t.keys.map(n=>[n,t])));document.addEventListener("keydown",t=>{if(t.ctrlKey||t.metaKey||t.altKey||document.querySelector("dialog[open]"))return;let{target:n}=t;if(!(n instanceof HTMLSelectElement||n instanceof HTMLInputElement&&n.type==="search"||(n instanceof HTMLButtonElement||n instanceof HTMLInputElement||n instanceof HTMLAnchorElement)&&(t.key===" "||n.type==="range")&&(t.key===" "||t.key.startsWith("Arrow")||t.key==="Home"||t.key==="End"))){if(t.key==="?")sd(i);else if(e.has(t.key))e.get(t.key)?.press(t);else return;t.preventDefault()}})}var Cl=class{constructor(e,t,n){this.runs=n;this.close=q("button",{type:"button",class:"icon","aria-label":"Close (Escape)",click:()=>t.set({picked:null})},"×"),this.root=q("section",{class:"facts","aria-label":"Facts",tabindex:0},q("header",{},this.title,this.close),this.list),e.append(this.root),t.listen((s,r)=>{["picked","flows","run","time","loaded"].some(o=>r.has(o))&&this.draw(s)})}runs;title=q("h2");list=q("dl");root;cells=[];close;names="";draw(e){let[t,n]=this.about(this.runs[e.run],e)??["",[]];this.root.hidden=n.length===0,this.close.hidden=!e.picked,wt(this.title,t);let s=JSON.stringify(n.map(([r])=>r));s!==this.names&&(this.names=s,this.cells.length=0,this.list.replaceChildren(...n.flatMap(([r])=>{let o=q("dd");return this.cells.push(o),[q("dt",{},r),o]})));for(let[r,[,o]]of n.entries())wt(this.cells[r],o)}about(e,{picked:t,flows:n,time:s}){if(t?.kind==="node"&&e.place.has(t.id))return[e.node(t.id).name,qy(e,t.id,s,n)];if(t?.kind==="line"){let o=e.lineOf.get(t.key);return o?[`${e.node(o.a).name} – ${e.node(o.b).name}`,$y(e,o,s)]:null}let r=t?.kind==="flow"?t.id:!t&&!e.positions?n[0]:void 0;return r!==void 0&&e.flow.has(r)?[e.flow.get(r).name,Yy(e,r,s)]:null}};function qy(i,e,t,n){let s=i.node(e),r=[["Kind",s.kind]];typeof s.shell=="number"&&r.push(["Shell",i.file.shells[s.shell]?.name??String(s.shell)]);let o=i.positions?.of(e,t);if(o&&Number.isNaN(o[0]))r.push(["Above","no longer in orbit"]);else if(o){let{latitude_deg:h,longitude_deg:u,altitude_km:d}=Hr(o[0],o[1],o[2]);r.push(["Above",gu(h,u)],["Altitude",`${d.toFixed(1)} km`])}else typeof s.latitude_deg=="number"&&typeof s.longitude_deg=="number"&&(r.push(["At",gu(s.latitude_deg,s.longitude_deg)]),s.altitude_km&&r.push(["Altitude",`${Math.round(s.altitude_km*1e3)} m`]));let a=[...i.paths].filter(([,h])=>h.way(h.number(t))?.nodes.includes(e));r.push(["Flows through this node",a.map(([h])=>i.flow.get(h)?.name).slice(0,6).join(", ")||"none at the moment"]);let l=ol(i,e,n),c=l===null?null:al(i,e,l,t);return c&&(r.push(["Satellite in use",i.node(c.satellite).name]),r.push(["Elevation",`${c.elevation_deg.toFixed(1)}°`]),r.push(["Distance",`${_n(c.range_km)} km`])),l===null&&!i.busy.has(e)&&r.push(["Curves","none: no packets used the links of this node"]),r}function $y(i,e,t){let n=[["Kind",{isl:"inter-satellite",ground:"to the ground",plain:"link"}[e.kind]??e.kind]];for(let s of e.links){let r=`→ ${i.node(s.to).name}`;for(let o of["utilisation","queue"]){let a=i.curveOfLink(s.id,o),l=a?.at(t);l!=null&&n.push([r,`${_n(l)} ${a?.unit}${o==="utilisation"?" used":""}`])}}return n.length===1&&n.push(["Recorded","nothing on this link"]),n}function Yy(i,e,t){let n=i.flow.get(e),s=i.file.duration_s,r=[["Controller",n.controller],["From – to",`${i.node(n.from).name} → ${i.node(n.to).name}`]],o=Gr(n,t,s);o&&r.push(["State",o]);let a=i.phases(e)?.at(t);a&&r.push(["Phase",a]);let{now:l,before:c}=i.paths.get(e)?.at(t)??{now:null,before:null};l&&!o&&r.push(["Path now",qo([...l.nodes].map(h=>i.node(h).name),12)]),c&&l&&!o&&(r.push(["Changed",`at ${Ji(l.since_s,s)} s`],["Path before",qo([...c.nodes].map(h=>i.node(h).name),12)]),l.rtt_ms&&c.rtt_ms&&r.push(["RTT change",`${_n(c.rtt_ms)} → ${_n(l.rtt_ms)} ms`]));for(let{name:h,value:u,unit:d}of n.facts)r.push([h,`${typeof u=="number"?_n(u):u??"–"}${d?` ${d}`:""}`]);return r}var Pl=class{constructor(e,t,n){this.store=t;this.runs=n;e.append(this.list),t.listen((s,r)=>{r.has("run")&&this.fill(n[s.run],s.run),(r.has("flows")||r.has("run")||r.has("theme"))&&this.mark(s),["time","run","flows","loaded"].some(o=>r.has(o))&&this.moment(s)})}store;runs;rows=[];at=-1;list=q("ul",{class:"flows","aria-label":"Flows"});fill(e,t){let{flows:n}=e.file,s=t===this.at;if(this.at=t,s&&n.length>=this.rows.length&&this.rows.every(({flow:r},o)=>Zy(r,n[o]))){for(let[o,a]of this.rows.entries())[a.flow,a.shown]=[n[o],Number.NaN];let r=n.slice(this.rows.length).map(o=>this.row(e,o));this.rows.push(...r),this.list.append(...r.map(({root:o})=>o));return}this.rows=e.file.flows.map(r=>this.row(e,r)),this.list.replaceChildren(...this.rows.map(({root:r})=>r))}row(e,t){let n=q("input",{type:"checkbox","aria-label":`Curves of ${t.name}`,change:()=>this.toggle(t.id)}),s=q("i",{class:"flow-colour","aria-hidden":"true"}),r=q("span",{class:"way"}),o=q("b"),a=q("span",{class:"quiet"}),c=q("button",{type:"button",class:"flow-name",click:()=>this.store.set({flows:[t.id],picked:{kind:"flow",id:t.id}}),title:"Follow only this flow"},q("b",{},t.name),t.controller!==t.name?q("span",{class:"quiet"},` ${t.controller}`):null,q("span",{class:"quiet"},` ${e.node(t.from).name} → ${e.node(t.to).name}`)),h=q("li",{},n,s,q("div",{},c,r),q("p",{class:"rate"},o,a));return{flow:t,root:h,box:n,swatch:s,way:r,rate:o,phase:a,shown:Number.NaN}}toggle(e){let{flows:t}=this.store.state,n=t.includes(e)?t.filter(s=>s!==e):[...t,e];n.length>0?this.store.set({flows:n}):this.mark(this.store.state)}mark({flows:e}){let{dark:t}=Zt();for(let{flow:n,root:s,box:r,swatch:o}of this.rows)r.checked=e.includes(n.id),s.classList.toggle("chosen",r.checked),o.style.backgroundColor=Ln(n.color_index,t)}moment({run:e,time:t,flows:n}){let s=this.runs[e];for(let r of this.rows){let o=r.flow.id,a=s.paths.get(o),l=Gr(r.flow,t,s.file.duration_s),c=l??a?.number(t)??-1;if(r.root.classList.toggle("gone",l!==null),c!==r.shown){r.shown=c;let{now:u}=a?.at(t)??{now:null},d=[...u?.nodes??[]].map(x=>s.node(x).name),f=u?.rtt_ms?`, ${_n(u.rtt_ms)} ms`:"",m=u&&u.since_s>0?` since ${Ji(u.since_s,s.file.duration_s)} s`:"";wt(r.way,l??(a?`${qo(d)}${f}${m}`:"")),r.way.title=l??d.join(" → ")}let h=n.includes(o)&&!l?s.curveOfFlow(o,"delivery_rate"):null;wt(r.rate,h?`${_n(h.at(t))} ${h.unit}`:""),wt(r.phase,n.includes(o)?s.phases(o)?.at(t)??"":"")}}};function Zy(i,e){return["id","name","controller","from","to"].every(t=>i[t]===e[t])}var Il=class{constructor(e,t,n,s,r){this.file=t;this.all=n;this.store=s;this.runs.hidden=n.length<2;for(let[h,{file:u}]of n.entries())this.runs.append(this.chip(h,u.name));let o=q("button",{type:"button","aria-label":"About",title:"About",click:()=>this.about()},q("span",{class:"wide"},"About"),q("span",{class:"narrow","aria-hidden":"true"},"i")),a="Picture mode: hide the controls (h)",l=q("button",{type:"button",class:"icon","aria-label":a,title:a,click:()=>this.turnPicture()},"▣");this.leave.hidden=!0,e.addEventListener("click",({target:h})=>{this.store.state.shot&&h!==l&&this.turnPicture()});let c=this.findings();e.append(q("span",{class:"mark","aria-hidden":"true"}),this.title,/\/run\/\d+\/$/.test(location.pathname)?q("a",{href:"../../"},"back to the table"):"",this.runs,q("span",{class:"spring"}),c??"",this.leave,o,n.length>0?l:"",this.theme,q("button",{type:"button",class:"icon wide","aria-label":"Keys (?)",title:"Keys (?)",click:r},"?")),s.listen((h,u)=>{["run","overlaid","theme"].some(d=>u.has(d))&&this.draw(h)})}file;all;store;title=q("h1");runs=q("div",{class:"runs",role:"group","aria-label":"Runs"});theme=q("button",{type:"button",class:"icon",click:()=>this.turnLights()});leave=q("button",{type:"button",class:"leave"},"Show controls: h, or tap the title");turnLights(){this.store.set({theme:Zt().dark?"light":"dark"})}turnPicture(){let e=!this.store.state.shot;this.leave.hidden=!e,this.store.set({shot:e})}chip(e,t){let n=q("input",{type:"checkbox","aria-label":`Curves of ${t}`,change:()=>this.lay(e)}),s=()=>this.store.set({run:e,overlaid:this.store.state.overlaid.includes(e)?this.store.state.overlaid:[e]});return q("span",{class:"chip"},n,q("i",{class:"flow-colour","aria-hidden":"true"}),q("button",{type:"button",click:s},t))}lay(e){let{overlaid:t,run:n}=this.store.state,s=t.includes(e)?t.filter(r=>r!==e):[...t,e].sort((r,o)=>r-o);s.length>0?this.store.set({overlaid:s,run:s.includes(n)?n:s[0]}):this.draw(this.store.state)}draw(e){wt(this.title,this.file.title);let{dark:t}=Zt();for(let[s,r]of[...this.runs.children].entries()){let o=e.overlaid.indexOf(s);r.querySelector("input").checked=o>=0,r.querySelector("i").style.backgroundColor=o>=0?Ln(o,t):"transparent",r.classList.toggle("chosen",s===e.run)}wt(this.theme,t?"☀":"☾");let n=t?"Light colours (l)":"Dark colours (l)";this.theme.setAttribute("aria-label",n),this.theme.title=n}findings(){let e=this.all.flatMap(({file:s})=>s.findings.map(r=>({run:s.name,...r})));if(e.length===0)return null;let t=()=>nd("Findings",e.map(({run:s,text:r})=>this.all.length>1?`${s}: ${r}`:r)),n=`${e.length} finding${e.length>1?"s":""}`;return q("button",{type:"button",class:"warn","aria-label":n,title:n,click:t},q("span",{class:"wide"},n),q("span",{class:"narrow","aria-hidden":"true"},`! ${e.length}`))}about(){let e=this.all[this.store.state.run]?.file,t=e?[`${e.name}: seed ${e.seed}, ${Number(e.duration_s.toFixed(3))} s, folder ${e.folder}`]:[];nd("About this scene",[...t,`Made by Bentpipe ${this.file.build}`,...this.file.notes],e?.scenario)}};function Ym(i,{tables:e,pictures:t,notes:n}){i.setAttribute("role","main");let s=t.map(({name:a,src:l,alt:c})=>q("figure",{},q("img",{src:jy(l),alt:c,loading:"lazy"}),q("figcaption",{},a))),[r,...o]=e.map(a=>new rd(a).root);n.length>0&&i.append(q("ul",{class:"quiet"},...n.map(a=>q("li",{},a)))),i.append(...r?[r]:[]),s.length>0&&i.append(q("div",{class:"pictures"},...s)),i.append(...o)}var Ky=24,qm=8,rd=class{constructor(e){this.table=e;let{title:t,columns:n,rows:s}=e;this.formats=n.map(({name:c,digits:h},u)=>c==="seed"?String:h===void 0?Qy(s.map(d=>d[u])):d=>d.toFixed(h));let r=q("tr");for(let[c,{name:h,unit:u,align:d}]of n.entries()){let f=q("button",{type:"button",click:()=>this.sort(c)},h,u?q("small",{},` ${u}`):null),m=q("th",{scope:"col",class:d==="right"?"right":"left"},f);this.heads.push(m),r.append(m)}let o=s.some((c,h)=>e.open[h]!==null||e.make[h]!==null),a=`${s.length} row${s.length===1?"":"s"}. Click a column head to sort${o?", or a row to open its run":""}.`,l=q("caption",{},q("b",{},t),` ${a}`);this.root=q("div",{class:n.length>qm?"table dense":"table"},q("table",{},l,q("thead",{},r),this.body)),this.fill()}table;root;sorted=null;body=q("tbody");heads=[];formats;sort(e){let t=this.table.columns[e].align!=="right",n=this.sorted?.column===e?!this.sorted.up:t;this.sorted={column:e,up:n};for(let[s,r]of this.heads.entries())s===e?r.setAttribute("aria-sort",n?"ascending":"descending"):r.removeAttribute("aria-sort");this.fill()}fill(){let{rows:e}=this.table,t=this.sorted?e2(e,this.sorted.column,this.sorted.up):[...e.keys()];this.body.replaceChildren(...t.map(n=>this.row(n)))}row(e){let[t,n]=[this.table.open[e]??null,this.table.make[e]??null],s=this.table.rows[e].map((o,a)=>{let l=typeof o=="number"?this.formats[a](o):o===null?"–":String(o),c=this.table.columns[a].align==="right"?"right":"left",h=l.length>Ky&&this.table.columns.length>qm?l:null;return a>0?q("td",{class:c,title:h},l):q("th",{class:c,scope:"row",title:h},Jy(l,t,n===null?null:()=>this.explain(e,n)))}),r=q("tr",{class:t!==null||n!==null?"leads":""},...s);return r.addEventListener("click",o=>{o.target.closest("a, button")||(t!==null?location.assign(od(t)):n!==null&&this.explain(e,n))}),r}explain(e,t){let n=this.table.rows[e].flatMap((s,r)=>r>0&&typeof s=="string"?[`${this.table.columns[r].name}: ${s}`]:[]);gr("This run is not stored here",[q("p",{},q("b",{},String(this.table.rows[e][0]??""))),q("ul",{},...n.map(s=>q("li",{},s))),q("p",{},"These commands make the run and show it:"),q("pre",{class:"command",tabindex:0},t)])}};function Jy(i,e,t){return e!==null?q("a",{href:od(e)},i):t?q("button",{type:"button",class:"link",click:t},i):i}function od(i){return/^[\w.-]+(\/[\w.-]+)*\/?$/.test(i)?i:"#"}function jy(i){return i.startsWith("data:image/")?i:od(i)}function Qy(i){let e=i.filter(s=>typeof s=="number");if(e.every(Number.isInteger))return _n;let t=Math.max(...e.map(Math.abs)),n=Math.min(Math.max(3-Math.floor(Math.log10(t||1)),0),6);return s=>s.toFixed(n)}function $m(i){return typeof i=="string"&&/^> [\d.]+ s, /.test(i)?1e12+Number.parseFloat(i.slice(2)):i}function e2(i,e,t){let n=t?1:-1;return[...i.keys()].sort((s,r)=>{let[o,a]=[$m(i[s][e]),$m(i[r][e])];return o===null||a===null?+(o===null)-+(a===null):typeof o=="number"&&typeof a=="number"?n*(o-a):n*String(o).localeCompare(String(a),"en",{numeric:!0})})}var ad={map:"stage",flows:"side",curves:"curves"},t2="(max-width: 760px)",Ll=class{buttons=new Map;narrow=matchMedia(t2);chosen="map";constructor(e){for(let t of Object.keys(ad)){let n=q("button",{type:"button",role:"tab",id:`tab-${t}`,"aria-controls":ad[t],click:()=>this.choose(t)});this.buttons.set(t,n),e.append(n)}e.addEventListener("keydown",t=>this.press(t)),this.narrow.addEventListener("change",()=>this.mark()),this.name("Map",0),this.mark()}name(e,t){let n={map:e,flows:`Flows (${t})`,curves:"Curves"};for(let[s,r]of this.buttons)r.textContent=n[s]}choose(e){this.chosen=e,this.mark()}press(e){let t=[...this.buttons.keys()],n=t.indexOf(this.chosen),s={ArrowLeft:t[(n+t.length-1)%t.length],ArrowRight:t[(n+1)%t.length],Home:t[0],End:t[t.length-1]}[e.key];s&&(e.preventDefault(),e.stopPropagation(),this.choose(s),this.buttons.get(s)?.focus())}mark(){document.documentElement.dataset.tab=this.chosen;for(let[e,t]of this.buttons){let n=e===this.chosen;t.setAttribute("aria-selected",String(n)),t.tabIndex=n?0:-1;let s=Yn(ad[e]);this.narrow.matches?(s.setAttribute("role","tabpanel"),s.setAttribute("aria-labelledby",t.id)):(s.removeAttribute("role"),s.removeAttribute("aria-labelledby"))}}};var Zm=1e-6;function Km(i,e,t,n,s){let r=null,o=(c,h)=>{c!==void 0&&(!r||(s?c<r.time_s:c>r.time_s))&&(r={time_s:c,text:h()})},a=(c,h,u=d=>!0)=>{let d=s?fn(c,t):gs(c,t)-1;for(;d in c&&!u(d);)d+=s?1:-1;o(c[d],()=>h(d))},l=c=>n==="all"||n===c;for(let c of e){let h=i.flow.get(c)?.name??`flow ${c}`;if(l("loss"))for(let{cause:f,time:m}of i.losses(c))a(m,()=>`${h}: ${f==="none"?lr.none:`a packet is lost (${lr[f]})`}`);if(l("phase")){let f=i.phases(c);f&&a(f.time,m=>`${h}: ${f.names[f.name[m]]}`)}let u=i.changes(c);u&&l("path")&&a(u.time,f=>u.text(f));let d=i.events(c);if(d&&l("cut")){let f=m=>n==="all"||sa.includes(d.kind(m));a(d.time,m=>d.text(m),f)}}return r&&{...r,text:n2(i,e,r.time_s)||r.text}}function n2(i,e,t){let n=e.flatMap(s=>i.stories(s).flatMap(r=>{let o=[];for(let a=gs(r.time,t-Zm);r.time[a]<=t+Zm;a++)o.push(r.text(a));return o}));return[...new Set(n)].join("; ")}var Dl=[.1,.2,.5,1,2,5,10,20,50,100,200,500,1e3],i2={all:"any event",loss:"a loss",cut:"a cut",path:"the path",phase:"a phase"},s2=6e3,Nl=class{constructor(e,t,n){this.store=t;this.runs=n;for(let r of Dl)this.speed.append(q("option",{value:r},`${r}×`));for(let[r,o]of Object.entries(i2))this.stops.append(q("option",{value:r},o));this.speed.addEventListener("change",()=>t.set({speed:Number(this.speed.value)})),this.stops.addEventListener("change",()=>t.set({stops:this.stops.value})),this.slider.addEventListener("input",()=>t.set({time:Number(this.slider.value)}));let s=(r,o,a)=>q("button",{type:"button",class:"icon","aria-label":o,title:o,click:a},r);e.append(s("|◀","Previous event (p)",()=>this.step(!1)),this.playing,s("▶|","Next event (n)",()=>this.step(!0)),q("label",{class:"stops"},q("span",{class:"quiet"},"step to "),this.stops),this.slider,q("div",{class:"reading"},this.clock,this.date),q("label",{},q("span",{class:"quiet"},"speed "),this.speed),this.said),t.listen((r,o)=>{o.has("run")&&(this.slider.max=String(this.run.file.duration_s)),o.has("playing")&&this.mark(r.playing),o.has("speed")&&(this.speed.value=String(r.speed)),o.has("stops")&&(this.stops.value=r.stops),(o.has("time")||o.has("run"))&&this.moment(r.time)})}store;runs;slider=q("input",{type:"range",min:0,step:"any","aria-label":"Time",class:"slider"});clock=q("output",{class:"clock"});date=q("span",{class:"quiet date"});said=q("span",{class:"quiet said",role:"status"});playing=q("button",{type:"button",class:"play",click:()=>this.toggle()});speed=q("select",{"aria-label":"Speed"});stops=q("select",{"aria-label":"Step to"});silence=0;toggle(){let{playing:e,time:t}=this.store.state;this.store.set({playing:!e,...!e&&t>=this.run.file.duration_s?{time:0}:{}})}step(e){let{flows:t,time:n,stops:s}=this.store.state,r=Km(this.run,t,n,s,e);r&&this.store.set({time:r.time_s,playing:!1});let o=`No ${e?"later":"earlier"} event of this kind.`;clearTimeout(this.silence),this.silence=window.setTimeout(()=>wt(this.said,""),s2),wt(this.said,r?`${Ji(r.time_s,this.run.file.duration_s)} s: ${r.text}`:o)}faster(e){let t=Dl.indexOf(this.store.state.speed);this.store.set({speed:Dl[Math.min(Math.max(t+e,0),Dl.length-1)]})}get run(){return this.runs[this.store.state.run]}mark(e){wt(this.playing,e?"❚❚":"▶"),this.playing.setAttribute("aria-label",e?"Pause (space)":"Play (space)"),this.playing.title=e?"Pause (space)":"Play (space)"}moment(e){let{duration_s:t,epoch_utc:n}=this.run.file;this.slider.value=String(e),this.slider.setAttribute("aria-valuetext",`${Ji(e,t)} seconds`),wt(this.clock,`${Ji(e,t)} s`),wt(this.date,op(n,e)||`of ${Number(t.toFixed(3))} s`)}};var r2={f32:Float32Array,f64:Float64Array,u32:Uint32Array,i32:Int32Array},Fl=class{constructor(e){this.source=e}source;here=new Map;coming=new Map;arrived=()=>{};failed=()=>{};get pending(){return this.coming.size}ready(e){let t=!0;for(let{buffer:n}of e)this.here.has(n)||(t=!1,this.fetch(n).catch(s=>this.failed(s)));return t}held(e){return e.filter(({buffer:t})=>this.here.has(t))}async need(e){await Promise.all([...new Set(e.map(({buffer:t})=>t))].map(t=>this.fetch(t)))}f32=(e,t)=>this.of(Float32Array,e,t);f64=(e,t)=>this.of(Float64Array,e,t);u32=(e,t)=>this.of(Uint32Array,e,t);async fetch(e){if(this.here.has(e))return;let t=this.coming.get(e);if(t)return t;let n=this.source(e).then(s=>{this.here.set(e,s),this.coming.delete(e),this.arrived()});return this.coming.set(e,n),n}view(e,t){let n=this.here.get(e.buffer);if(!n)throw new gt(`${t} needs the buffer "${e.buffer}", which is missing`);let s=r2[e.type];if(!s)throw new gt(`${t} has numbers of type "${e.type}", but this page reads only f32, f64, u32 and i32`);let r=e.offset+e.count*s.BYTES_PER_ELEMENT;if(!Number.isInteger(e.offset)||e.offset<0||e.offset%8!==0||!(e.count>=0))throw new gt(`${t} begins at byte ${e.offset} of "${e.buffer}", which is not a multiple of 8`);if(r>n.byteLength)throw new gt(`${t} needs ${r} bytes of the buffer "${e.buffer}", which has ${n.byteLength} bytes: the buffer is incomplete`);return new s(n,e.offset,e.count)}of(e,t,n){let s=this.view(t,n);return s instanceof e?s:new e(s)}};async function Jm(i,e){try{let t=Uint8Array.from(atob(i.trim()),s=>s.charCodeAt(0)),n=new Blob([t]).stream().pipeThrough(new DecompressionStream("gzip"));return await new Response(n).arrayBuffer()}catch{throw new gt(`the buffer "${e}" in this page cannot be unpacked: the file is incomplete or was changed`)}}var o2={name:"string",scenario:"string",duration_s:"number",nodes:"array",shells:"array",links:"array",flows:"array",paths:"array",curves:"array",losses:"array",phases:"array",events:"array",findings:"array"},Qm={nodes:{id:"number",name:"string",kind:"string"},links:{id:"number",name:"string",from:"number",to:"number"},flows:{id:"number",name:"string",from:"number",to:"number",start_s:"number",facts:"array"},paths:{flow:"number",time:"object",node_start:"object",nodes:"object",rtt_ms:"object"},curves:{of:"object",quantity:"string",unit:"string",levels:"array"},losses:{flow:"number",cause:"string",time:"object"},phases:{flow:"number",names:"array",time:"object",name:"object"},events:{flow:"number",kinds:"array",reasons:"array",time:"object",kind:"object",reason:"object"}};function ld(i){return i==null?"nothing":Array.isArray(i)?"array":typeof i}function ra(i,e,t){if(ld(i)!=="object")throw new gt(`${t} is ${ld(i)} where an object was expected`);for(let n in e){let s=ld(i[n]);if(s!==e[n])throw new gt(`${t}.${n} is ${s} where ${e[n]} was expected`)}}function e0(i){let e;try{e=JSON.parse(i)}catch(s){throw new gt(`scene.json is not JSON (${s.message}): the file is incomplete or was changed`)}let t=e?.error?.text;if(typeof t=="string")throw new gt(t);if(ra(e,{format:"number"},"scene"),e.format!==2)throw new gt(`the scene has format ${e.format}, but this page reads format ${2}`);if(ra(e,{title:"string",kind:"string",runs:"array",tables:"array",pictures:"array",notes:"array"},"scene"),e.runs.forEach((s,r)=>{let o=`runs[${r}]`;if(ra(s,o2,o),!(s.duration_s>0))throw new gt(`${o}.duration_s is ${s.duration_s}, and must be above 0`);for(let a in Qm)s[a].forEach((c,h)=>{ra(c,Qm[a],`${o}.${a}[${h}]`)})}),e.tables.forEach((s,r)=>{let o=`tables[${r}]`;ra(s,{title:"string",columns:"array",rows:"array",open:"array",make:"array"},o);let a=s.columns.length;s.rows.forEach((l,c)=>{if(l.length!==a)throw new gt(`${o}.rows[${c}] has ${l.length} cells, but there are ${a} columns`)})}),e.runs.length+e.tables.length+e.pictures.length===0)throw new gt("the scene has no run, no table and no picture");return e}var cd=42164,Ul=class i{constructor(e,t,n,s,r){this.satellites=e;this.start_s=t;this.step_s=n;this.knots=s;this.data=r;this.place=new Map(e.map((o,a)=>[o,a]))}satellites;start_s;step_s;knots;data;place;static of(e,t,n,s){let r=n.f32(e.data,`${s}.data`),o=e.knots*e.satellites.length*6;if(r.length!==o||!(e.step_s>0)||e.knots<1)throw new gt(`${s} has ${r.length} numbers; ${e.knots} knots of ${e.satellites.length} satellites need ${o}`);let a=e.satellites.find(l=>!t.has(l));if(a!==void 0)throw new gt(`${s} has satellite ${a}, which is not in the list of nodes`);return new i(e.satellites,e.start_s,e.step_s,e.knots,r)}isGeostationary(){for(let e=0;e<this.satellites.length*6;e+=6){let[t,n,s]=this.data.subarray(e,e+3);if(!(Math.abs(Math.hypot(t,n,s)-cd)<.02*cd&&Math.abs(s)<.3*cd))return!1}return this.satellites.length>0}at(e,t){this.some(e,0,this.satellites.length,t)}of(e,t){let n=this.place.get(e);if(n===void 0)return null;let s=new Float32Array(3);return this.some(t,n,n+1,s),s}some(e,t,n,s){let{data:r,step_s:o}=this,a=Math.min(Math.max((e-this.start_s)/o,0),this.knots-1),l=Math.min(Math.floor(a),Math.max(this.knots-2,0)),c=a-l,h=this.satellites.length*6,u=l*h,d=this.knots>1?u+h:u,f=(1+2*c)*(1-c)*(1-c),m=c*(1-c)*(1-c)*o,x=c*c*(3-2*c),g=c*c*(c-1)*o;for(let p=t*6,b=0;p<n*6;p+=6,b+=3)for(let A=0;A<3;A++){let w=u+p+A,P=d+p+A;s[b+A]=f*r[w]+m*r[w+3]+x*r[P]+g*r[P+3]}}};var Ol=class{constructor(e,t,n,s=Number.POSITIVE_INFINITY){this.file=e;this.buffers=t;this.where=n;this.end_s=s;if(this.quantity=e.quantity,this.unit=e.unit,this.step=e.step,this.flow="flow"in e.of?e.of.flow:null,this.link="link"in e.of?e.of.link:null,e.levels.length===0)throw new gt(`${n} has no levels`)}file;buffers;where;end_s;quantity;unit;step;flow;link;made=null;get levels(){let{file:e,buffers:t,where:n}=this;return!this.made&&t.ready(e.levels.flatMap(({time:s,low:r,high:o})=>[s,r,o]))&&(this.made=e.levels.map((s,r)=>{let o=`${n}.levels[${r}]`,a=t.f64(s.time,`${o}.time`),l=t.f32(s.low,`${o}.low`),c=t.f32(s.high,`${o}.high`);if(l.length!==a.length||c.length!==a.length)throw new gt(`${o} has ${a.length} times, ${l.length} lows and ${c.length} highs`);return{time:a,low:l,high:c}})),this.made}get coarsest(){return this.levels?.at(-1)??null}get empty(){return this.coarsest?.high.every(Number.isNaN)??!1}at(e){let t=this.levels?.[0];if(!t||e>this.end_s)return null;let n=t.high[this.step?gs(t.time,e):fn(t.time,e)-1];return n===void 0||Number.isNaN(n)?null:n}between(e,t,n){let s=this.levels??[];for(let[r,o]of s.entries()){let a=Math.max(0,fn(o.time,e)-1),l=this.step?gs(o.time,this.end_s)+1:fn(o.time,this.end_s),c=Math.min(o.time.length,gs(o.time,t)+1,l);if(c-a<=n||r===s.length-1)return{level:o,first:a,end:c}}return null}};var kl=class{constructor(e,t,n,s){this.names=e;this.time=t;this.name=n;this.end_s=s}names;time;name;end_s;at(e){let t=fn(this.time,e)-1;return t<0||e>this.end_s?null:this.names[this.name[t]]??null}};var Bl=class{constructor(e,t,n){this.file=e;this.buffers=t;this.where=n;for(let[r,o]of e.nodes.entries()){if(this.place.has(o.id))throw new gt(`${n}.nodes has the number ${o.id} twice`);this.place.set(o.id,r)}this.checkEnds("links",e.links),this.checkEnds("flows",e.flows);for(let r of e.flows)this.flow.set(r.id,r);for(let r of e.links)this.join(r);this.curves=e.curves.map((r,o)=>{let a="flow"in r.of?this.flow.get(r.of.flow)?.end_s??void 0:void 0;return new Ol(r,t,`${n}.curves[${o}]`,a)});for(let r of this.curves)this.curveOf.set(`${r.flow} ${r.link} ${r.quantity}`,r);let s=new Set(this.curves.map(({link:r})=>r));this.busy=new Set(e.links.flatMap(({id:r,from:o,to:a})=>s.has(r)?[o,a]:[])),this.positions=e.positions&&Ul.of(e.positions,this.place,t,`${n}.positions`),this.still=this.positions?.isGeostationary()??!1;for(let[r,o]of e.paths.entries())this.paths.set(o.flow,km(o,this.place,t,`${n}.paths[${r}]`))}file;buffers;where;place=new Map;lines=[];lineOf=new Map;paths=new Map;flow=new Map;curves;still;busy;positions;curveOf=new Map;phasesOf=new Map;lossesOf=new Map;changesOf=new Map;eventsOf=new Map;node(e){return this.file.nodes[this.place.get(e)]}called(e){let{name:t,shell:n}=this.node(e),s=typeof n=="number"?this.file.shells[n]:void 0;return s?.count===1?s.name:t}get shells(){let e=new Map;for(let t of this.positions?.satellites??[]){let n=this.node(t).shell??0;e.set(n,(e.get(n)??0)+1)}return this.file.shells.flatMap(({name:t},n)=>{let s=e.get(n);return s===void 0?[]:[{shell:n,name:t,count:s}]})}curveOfFlow(e,t){return this.curveOf.get(`${e} null ${t}`)??null}curveOfLink(e,t){return this.curveOf.get(`null ${e} ${t}`)??null}line(e,t){return this.lineOf.get(t0(e,t))??null}phases(e){let t=this.phasesOf.get(e);if(t)return t;let n=this.file.phases.find(a=>a.flow===e);if(!n||!this.buffers.ready([n.time,n.name]))return null;let s=`${this.where}.phases of flow ${e}`,r=this.flow.get(e)?.end_s??this.file.duration_s,o=new kl(n.names,this.buffers.f64(n.time,s),this.buffers.u32(n.name,s),r);return this.phasesOf.set(e,o),o}losses(e){let t=this.lossesOf.get(e);if(t)return t;let n=this.file.losses.filter(r=>r.flow===e);if(!this.buffers.ready(n.map(({time:r})=>r)))return[];let s=n.map(({cause:r,time:o})=>({cause:r,time:this.buffers.f64(o,`${this.where}.losses of flow ${e}`)}));return this.lossesOf.set(e,s),s}changes(e){let t=this.changesOf.get(e);if(t!==void 0)return t;let[n,s]=[this.paths.get(e),this.flow.get(e)],r=n&&s?new El(n,s,this.file.duration_s,o=>this.node(o).name):null;return this.changesOf.set(e,r),r}events(e){let t=this.eventsOf.get(e);if(t)return t;let n=this.file.events.find(r=>r.flow===e);if(!n||!this.buffers.ready([n.time,n.kind,n.reason,n.before,n.after]))return null;let s=new Tl(n,this.buffers,`${this.where}.events of flow ${e}`,this.changes(e));return this.eventsOf.set(e,s),s}stories(e){return[this.changes(e),this.events(e)].filter(t=>t!==null)}checkEnds(e,t){for(let[n,{from:s,to:r}]of t.entries()){let o=[s,r].find(a=>!this.place.has(a));if(o!==void 0)throw new gt(`${this.where}.${e}[${n}] ends at node ${o}, which is not in the list`)}}join(e){let t=t0(e.from,e.to),n=this.lineOf.get(t);if(n){n.links.push(e),n.always||=e.always;return}let s={key:t,a:e.from,b:e.to,links:[e],always:e.always,kind:e.kind};this.lineOf.set(t,s),this.lines.push(s)}};function t0(i,e){return i<e?`${i} ${e}`:`${e} ${i}`}async function hd(i){let e=document.getElementById("scene"),t=e0(e?e.textContent??"":await(await n0("scene.json")).text()),n=new Fl(e?h2:c2(t.live??"")),s=t.live===void 0?[]:i?.held(t.runs.flatMap(l2))??[];return await n.need([...t.runs.flatMap(a2),...s]),{file:t,runs:t.runs.map((r,o)=>new Bl(r,n,`runs[${o}]`)),buffers:n}}function a2(i){let e=i.paths.flatMap(({time:t,node_start:n,nodes:s,rtt_ms:r})=>[t,n,s,r]);return i.positions?[...e,i.positions.data]:e}function l2(i){return[...i.curves.flatMap(({levels:e})=>e.flatMap(({time:t,low:n,high:s})=>[t,n,s])),...i.losses.map(({time:e})=>e),...i.phases.flatMap(({time:e,name:t})=>[e,t]),...i.events.flatMap(({time:e,kind:t,reason:n,before:s,after:r})=>[e,t,n,s,r])]}var c2=i=>async e=>(await n0(`${i}buffers/${encodeURIComponent(e)}.bin`)).arrayBuffer(),h2=async i=>{let e=document.getElementById(`buffer-${i}`);if(!e)throw new gt(`the buffer "${i}" is not in this page: the file is incomplete or was changed`);let t=await Jm(e.textContent??"",i);return e.remove(),t};async function n0(i){let e;try{e=await fetch(i)}catch{throw new gt(`${i} cannot be fetched: does \`bentpipe view\` still run?`)}if(e.ok)return e;let t=(await e.text().catch(()=>"")).trim(),n=e.headers.get("content-type")?.startsWith("text/plain")&&t.length<500?t:"";throw new gt(n||`the server has no ${i} (status ${e.status})`)}var ud=[[-5957,-8004,-5987,-8055,-6016,-8100,-6225,-8086,-6449,-8092,-6574,-8059,-6574,-8055,-6629,-8026,-6404,-8029,-6188,-8039,-6114,-7998,-6061,-7963,-5957,-8004],[-15921,-7950,-16113,-7963,-16244,-7928,-16303,-7893,-16307,-7887,-16371,-7860,-16311,-7822,-16124,-7838,-16025,-7869,-15948,-7905,-15921,-7950],[-4515,-7805,-4392,-7848,-4349,-7909,-4337,-7952,-4333,-8003,-4488,-8034,-4651,-8059,-4839,-8083,-5048,-8103,-5285,-8097,-5416,-8063,-5399,-8022,-5185,-7995,-5099,-7961,-5037,-7918,-4991,-7881,-4931,-7846,-4866,-7805,-4815,-7805,-4666,-7783,-4515,-7805],[-12121,-7350,-11992,-7366,-11872,-7348,-11929,-7383,-12023,-7409,-12162,-7401,-12262,-7366,-12241,-7332,-12121,-7350],[-12556,-7348,-12403,-7387,-12462,-7383,-12591,-7374,-12728,-7346,-12656,-7325,-12556,-7348],[-9898,-7193,-9788,-7207,-9679,-7195,-9620,-7252,-9698,-7244,-9820,-7248,-9943,-7244,-10078,-7250,-10180,-7231,-10233,-7189,-10170,-7172,-10043,-7186,-9898,-7193],[-6845,-7096,-6833,-7141,-6851,-7180,-6878,-7217,-6996,-7231,-7108,-7250,-7239,-7248,-7190,-7209,-7308,-7223,-7419,-7237,-7495,-7207,-7501,-7166,-7391,-7127,-7323,-7115,-7207,-7119,-7178,-7068,-7172,-7031,-7174,-6951,-7117,-6904,-7025,-6888,-6972,-6925,-6949,-6962,-6906,-7007,-6873,-7050,-6845,-7096],[-17994,-8472,-17906,-8414,-17726,-8445,-17714,-8442,-17686,-8433,-17652,-8423,-17623,-8414,-17608,-8410,-17594,-8410,-17583,-8412,-17438,-8453,-17312,-8412,-17289,-8406,-16995,-8388,-16900,-8412,-16853,-8424,-16702,-8457,-16418,-8483,-16193,-8514,-15807,-8537,-15519,-8510,-15094,-8530,-14853,-8561,-14589,-8531,-14311,-8504,-14289,-8457,-14683,-8453,-15006,-8430,-15090,-8390,-15359,-8369,-15341,-8324,-15304,-8283,-15266,-8245,-15286,-8204,-15453,-8177,-15529,-8141,-15684,-8110,-15441,-8116,-15210,-8100,-15065,-8134,-14887,-8104,-14722,-8067,-14642,-8034,-14677,-7993,-14806,-7965,-14953,-7936,-15159,-7930,-15339,-7916,-15533,-7906,-15598,-7869,-15727,-7838,-15805,-7803,-15836,-7689,-15787,-7699,-15697,-7730,-15533,-7720,-15374,-7707,-15292,-7750,-15133,-7740,-15e3,-7718,-14875,-7691,-14761,-7658,-14611,-7648,-14615,-7611,-14649,-7573,-14620,-7538,-14491,-7520,-14432,-7554,-14279,-7534,-14164,-7509,-14021,-7507,-13886,-7497,-13751,-7473,-13643,-7452,-13522,-7430,-13443,-7436,-13375,-7444,-13226,-7430,-13092,-7448,-12955,-7446,-12824,-7432,-12689,-7442,-12540,-7452,-12401,-7448,-12256,-7450,-12107,-7452,-11970,-7448,-11868,-7418,-11747,-7403,-11621,-7424,-11502,-7407,-11394,-7372,-11330,-7403,-11295,-7438,-11230,-7471,-11126,-7442,-11007,-7479,-10872,-7491,-10756,-7518,-10615,-7513,-10487,-7495,-10337,-7499,-10202,-7513,-10064,-7530,-10012,-7487,-10076,-7454,-10125,-7418,-10255,-7411,-10311,-7373,-10333,-7336,-10368,-7262,-10292,-7275,-10161,-7281,-10031,-7275,-9914,-7291,-9812,-7321,-9769,-7356,-9634,-7362,-9504,-7348,-9367,-7328,-9244,-7317,-9142,-7340,-9009,-7332,-8923,-7256,-8842,-7301,-8727,-7319,-8601,-7309,-8519,-7348,-8388,-7352,-8267,-7364,-8147,-7385,-8069,-7348,-8030,-7313,-7930,-7352,-7792,-7342,-7691,-7364,-7622,-7397,-7489,-7387,-7385,-7366,-7283,-7340,-7162,-7326,-7021,-7315,-6894,-7301,-6796,-7279,-6737,-7248,-6714,-7205,-6725,-7164,-6756,-7125,-6792,-7085,-6823,-7046,-6849,-7011,-6854,-6972,-6845,-6932,-6798,-6895,-6759,-6854,-6743,-6815,-6762,-6772,-6774,-6733,-6725,-6688,-6670,-6658,-6606,-6621,-6537,-6590,-6457,-6560,-6418,-6517,-6363,-6490,-6300,-6464,-6204,-6458,-6141,-6427,-6071,-6407,-5989,-6396,-5916,-6370,-5860,-6339,-5781,-6327,-5722,-6353,-5760,-6386,-5861,-6415,-5905,-6437,-5979,-6421,-6061,-6431,-6130,-6455,-6202,-6480,-6251,-6509,-6265,-6548,-6259,-6586,-6212,-6619,-6280,-6643,-6374,-6650,-6429,-6684,-6488,-6715,-6551,-6758,-6567,-6795,-6531,-6837,-6478,-6868,-6396,-6891,-6320,-6923,-6279,-6962,-6257,-6999,-6228,-7038,-6181,-7072,-6151,-7109,-6138,-7201,-6108,-7238,-6100,-7277,-6069,-7317,-6083,-7370,-6138,-7411,-6196,-7444,-6329,-7458,-6374,-7493,-6435,-7526,-6586,-7563,-6719,-7579,-6845,-7601,-6980,-7622,-7060,-7664,-7221,-7667,-7397,-7664,-7556,-7671,-7724,-7671,-7693,-7711,-7540,-7728,-7428,-7756,-7365,-7791,-7477,-7822,-7650,-7812,-7792,-7838,-7799,-7879,-7803,-7918,-7685,-7951,-7663,-7989,-7536,-8026,-7324,-8042,-7144,-8069,-7001,-8100,-6819,-8132,-6571,-8147,-6325,-8175,-6155,-8204,-5969,-8238,-5871,-8285,-5822,-8322,-5701,-8287,-5536,-8257,-5362,-8226,-5154,-8200,-4976,-8173,-4727,-8171,-4483,-8185,-4281,-8208,-4216,-8165,-4077,-8136,-3824,-8134,-3626,-8112,-3439,-8091,-3231,-8077,-3010,-8059,-2855,-8034,-2926,-7998,-2968,-7963,-2968,-7926,-3162,-7930,-3368,-7946,-3564,-7946,-3592,-7908,-3578,-7834,-3533,-7812,-3390,-7789,-3221,-7765,-3100,-7736,-2978,-7707,-2888,-7667,-2751,-7650,-2616,-7636,-2548,-7628,-2393,-7624,-2246,-7611,-2122,-7591,-2001,-7567,-1891,-7544,-1752,-7513,-1664,-7479,-1570,-7450,-1541,-7411,-1646,-7387,-1611,-7346,-1545,-7315,-1441,-7295,-1331,-7272,-1229,-7240,-1151,-7201,-1102,-7154,-1029,-7126,-910,-7132,-861,-7166,-742,-7170,-738,-7132,-687,-7093,-579,-7103,-554,-7140,-434,-7146,-305,-7128,-179,-7117,-66,-7123,-23,-7164,87,-7131,189,-7113,302,-7099,414,-7085,516,-7062,627,-7046,714,-7025,774,-6989,849,-7015,952,-7001,1025,-7048,1082,-7083,1195,-7064,1240,-7025,1342,-6997,1474,-7003,1513,-7040,1595,-7003,1703,-6991,1820,-6988,1926,-6989,2037,-7001,2145,-7007,2192,-7040,2257,-7070,2366,-7052,2484,-7048,2598,-7048,2709,-7046,2809,-7033,2915,-7021,3003,-6993,3097,-6976,3199,-6966,3275,-6938,3330,-6884,3387,-6850,3491,-6866,3530,-6901,3616,-6925,3720,-6917,3791,-6952,3865,-6978,3967,-6954,4002,-6911,4092,-6893,4196,-6860,4294,-6846,4411,-6827,4490,-6805,4572,-6782,4650,-6760,4744,-6772,4834,-6737,4899,-6709,4993,-6711,5076,-6688,5095,-6652,5179,-6625,5261,-6605,5361,-6590,5454,-6582,5541,-6588,5636,-6598,5716,-6625,5726,-6668,5814,-6701,5874,-6729,5994,-6741,6060,-6768,6143,-6795,6239,-6801,6319,-6782,6405,-6741,6499,-6762,6597,-6774,6691,-6786,6789,-6793,6889,-6793,6971,-6897,6967,-6923,6955,-6968,6860,-6993,6781,-7030,6795,-7070,6906,-7068,6893,-7107,6842,-7144,6795,-7185,6871,-7217,6987,-7226,7102,-7209,7157,-7170,7191,-7132,7246,-7101,7308,-7072,7333,-7036,7386,-6988,7449,-6978,7563,-6974,7662,-6962,7764,-6946,7813,-6907,7843,-6870,7911,-6833,8009,-6807,8093,-6788,8149,-6754,8205,-6737,8278,-6721,8377,-6731,8467,-6721,8565,-6709,8675,-6715,8748,-6688,8799,-6621,8836,-6648,8883,-6696,8967,-6715,9063,-6723,9159,-6711,9261,-6719,9355,-6721,9418,-6711,9502,-6717,9578,-6739,9668,-6725,9776,-6725,9868,-6711,9972,-6725,10039,-6691,10089,-6658,10158,-6631,10283,-6556,10348,-6570,10424,-6598,10491,-6633,10618,-6694,10716,-6696,10808,-6696,10916,-6684,11023,-6670,11106,-6643,11174,-6613,11286,-6609,11360,-6588,11439,-6607,11490,-6639,11560,-6670,11670,-6666,11738,-6691,11858,-6717,11983,-6727,12087,-6719,12165,-6688,12232,-6656,12322,-6648,12412,-6662,12516,-6672,12610,-6656,12700,-6656,12788,-6666,12880,-6676,12970,-6658,13078,-6643,13180,-6639,13294,-6639,13385,-6629,13476,-6621,13503,-6572,13507,-6531,13570,-6558,13587,-6603,13621,-6645,13662,-6678,13746,-6696,13860,-6690,13991,-6688,14081,-6682,14212,-6682,14306,-6680,14437,-6684,14549,-6691,14620,-6723,14600,-6760,14665,-6789,14772,-6813,14884,-6839,15013,-6856,15148,-6872,15250,-6887,15364,-6890,15428,-6856,15517,-6884,15593,-6915,15681,-6938,15803,-6948,15918,-6960,15967,-6999,16081,-7023,16157,-7058,16269,-7074,16384,-7072,16492,-7078,16611,-7076,16731,-7083,16843,-7097,16946,-7121,17050,-7140,17121,-7170,17109,-7209,17056,-7244,17011,-7289,16976,-7324,16929,-7366,16798,-7381,16739,-7417,16609,-7438,16564,-7477,16496,-7515,16424,-7546,16382,-7587,16357,-7624,16347,-7669,16349,-7707,16406,-7746,16428,-7783,16474,-7818,16660,-7832,16700,-7875,16519,-7891,16367,-7912,16177,-7916,16092,-7973,16075,-8020,16032,-8057,15979,-8095,16112,-8128,16163,-8169,16249,-8206,16371,-8239,16510,-8271,16660,-8302,16889,-8334,16941,-8383,17229,-8404,17248,-8412,17322,-8441,17599,-8416,17828,-8447],[-6775,-5385,-6645,-5445,-6505,-5470,-6550,-5520,-6645,-5525,-6696,-5490,-6729,-5530,-6815,-5561,-6923,-5550,-6996,-5520,-7101,-5505,-7227,-5449,-7328,-5396,-7466,-5284,-7384,-5305,-7243,-5372,-7111,-5407,-7059,-5362,-7027,-5293,-6935,-5252,-6863,-5264,-6825,-5310,-6775,-5385],[-5855,-5110,-5775,-5155,-5805,-5190,-5940,-5220,-5985,-5185,-6070,-5230,-6120,-5185,-6e3,-5125,-5915,-5150,-5855,-5110],[7028,-4971,6874,-4977,6872,-4924,6887,-4883,6894,-4862,6958,-4894,7053,-4907,7056,-4925,7028,-4971],[14540,-4079,14636,-4114,14691,-4100,14769,-4081,14829,-4087,14836,-4206,14802,-4241,14791,-4321,14756,-4294,14687,-4364,14666,-4358,14605,-4355,14543,-4269,14530,-4203,14472,-4116,14474,-4070,14540,-4079],[17302,-4092,17325,-4133,17396,-4093,17425,-4135,17425,-4177,17388,-4223,17322,-4297,17271,-4337,17308,-4385,17231,-4387,17145,-4424,17118,-4490,17062,-4591,16983,-4636,16933,-4664,16841,-4662,16776,-4629,16668,-4622,16651,-4585,16705,-4511,16830,-4412,16895,-4394,16967,-4356,17052,-4303,17113,-4251,17157,-4177,17195,-4151,17210,-4096,17280,-4049,17302,-4092],[17461,-3616,17534,-3721,17536,-3653,17581,-3680,17596,-3756,17676,-3788,17744,-3796,17801,-3758,17852,-3770,17828,-3858,17797,-3917,17721,-3915,17694,-3945,17703,-3988,17689,-4007,17651,-4061,17601,-4129,17524,-4169,17507,-4143,17465,-4128,17523,-4046,17490,-3991,17382,-3951,17385,-3915,17457,-3880,17474,-3803,17470,-3738,17429,-3671,17432,-3653,17384,-3612,17306,-3524,17263,-3453,17301,-3445,17355,-3501,17433,-3527,17461,-3616],[16712,-2216,16674,-2240,16619,-2213,16547,-2168,16483,-2115,16417,-2045,16403,-2011,16446,-2012,16502,-2046,16546,-2080,16578,-2108,16660,-2170,16712,-2216],[17837,-1734,17872,-1763,17855,-1815,17793,-1829,17738,-1816,17729,-1772,17767,-1738,17812,-1751,17837,-1734],[17936,-1680,17873,-1701,17860,-1664,17910,-1643,17941,-1638],[-18e3,-1607,-17979,-1602,-17992,-1650],[16785,-1647,16752,-1660,16718,-1616,16722,-1589,16785,-1647],[16711,-1493,16727,-1574,16700,-1561,16679,-1567,16665,-1539,16663,-1463,16711,-1493],[5006,-1356,5022,-1476,5048,-1523,5038,-1571,5020,-1600,4986,-1541,4967,-1571,4986,-1645,4978,-1687,4950,-1711,4943,-1795,4904,-1912,4855,-2050,4793,-2239,4755,-2378,4710,-2494,4628,-2518,4541,-2560,4483,-2535,4404,-2499,4376,-2446,4370,-2357,4335,-2278,4325,-2206,4343,-2134,4389,-2116,4390,-2083,4438,-2007,4447,-1944,4423,-1896,4404,-1833,4396,-1741,4431,-1685,4445,-1622,4494,-1618,4550,-1597,4587,-1579,4631,-1578,4688,-1521,4771,-1459,4800,-1409,4787,-1366,4829,-1378,4884,-1309,4887,-1249,4920,-1204,4954,-1247,4981,-1290,5006,-1356],[14356,-1376,14392,-1455,14456,-1417,14490,-1459,14537,-1499,14527,-1543,14549,-1629,14564,-1678,14589,-1691,14616,-1776,14606,-1828,14639,-1896,14747,-1948,14818,-1996,14885,-2039,14872,-2063,14929,-2126,14968,-2234,15008,-2212,15048,-2256,15073,-2240,15090,-2346,15161,-2408,15207,-2446,15286,-2527,15314,-2607,15316,-2664,15309,-2726,15357,-2811,15351,-2899,15334,-2946,15307,-3035,15309,-3092,15289,-3164,15245,-3255,15171,-3304,15134,-3382,15101,-3431,15071,-3517,15033,-3567,15008,-3642,14995,-3711,15e3,-3743,14942,-3777,14831,-3781,14738,-3822,14692,-3861,14632,-3904,14549,-3859,14488,-3842,14503,-3790,14449,-3809,14361,-3881,14275,-3854,14218,-3838,14161,-3831,14064,-3802,13999,-3740,13981,-3664,13958,-3614,13908,-3573,13812,-3561,13845,-3513,13821,-3439,13772,-3508,13683,-3526,13735,-3471,13751,-3413,13789,-3364,13781,-3290,13700,-3375,13637,-3409,13599,-3489,13521,-3448,13524,-3395,13461,-3322,13409,-3285,13427,-3262,13299,-3201,13229,-3198,13133,-3150,12953,-3159,12824,-3195,12710,-3228,12615,-3222,12509,-3273,12422,-3296,12403,-3348,12366,-3389,12281,-3391,12218,-3400,12130,-3382,12058,-3393,11989,-3398,11930,-3451,11901,-3446,11850,-3475,11803,-3506,11729,-3503,11662,-3503,11556,-3439,11503,-3420,11505,-3362,11554,-3349,11571,-3326,11568,-3290,11580,-3221,11569,-3161,11516,-3060,11500,-3003,11504,-2946,11464,-2881,11462,-2852,11417,-2812,11405,-2733,11348,-2654,11334,-2612,11378,-2655,11344,-2562,11394,-2591,11423,-2630,11422,-2579,11372,-2500,11363,-2468,11339,-2438,11350,-2381,11371,-2356,11384,-2306,11374,-2247,11415,-2176,11422,-2252,11465,-2183,11546,-2149,11595,-2107,11671,-2070,11716,-2062,11744,-2075,11823,-2037,11884,-2026,11899,-2004,11925,-1995,11980,-1998,12086,-1968,12140,-1924,12165,-1871,12224,-1820,12229,-1780,12231,-1726,12301,-1641,12343,-1727,12386,-1707,12350,-1660,12382,-1611,12426,-1633,12438,-1557,12493,-1508,12517,-1468,12567,-1451,12569,-1423,12613,-1435,12614,-1410,12658,-1395,12707,-1382,12780,-1428,12836,-1487,12898,-1488,12962,-1497,12941,-1442,12989,-1362,13034,-1336,13018,-1311,13062,-1254,13122,-1218,13173,-1230,13258,-1211,13256,-1160,13182,-1127,13236,-1113,13302,-1138,13355,-1179,13439,-1204,13468,-1194,13530,-1225,13588,-1196,13626,-1205,13649,-1186,13695,-1235,13668,-1289,13631,-1329,13596,-1332,13608,-1372,13578,-1422,13543,-1472,13550,-1500,13630,-1555,13707,-1587,13758,-1622,13830,-1681,13859,-1681,13911,-1706,13926,-1737,14022,-1771,14087,-1737,14107,-1683,14127,-1639,14140,-1584,14170,-1504,14156,-1456,14163,-1427,14152,-1370,14165,-1294,14184,-1274,14169,-1241,14193,-1188,14212,-1133,14214,-1104,14252,-1067,14280,-1116,14287,-1178,14312,-1190,14316,-1233,14352,-1283,14360,-1340,14356,-1376],[16212,-1048,16240,-1083,16170,-1082,16132,-1021,16192,-1045,16212,-1048],[12071,-1024,12029,-1026,11897,-956,11990,-936,12043,-967,12078,-997,12071,-1024],[16085,-987,16046,-990,15985,-979,15964,-964,15970,-924,16036,-940,16069,-961,16085,-987],[16168,-960,16153,-978,16079,-892,16058,-832,16092,-832,16128,-912,16168,-960],[12444,-1014,12358,-1036,12346,-1024,12355,-990,12398,-929,12497,-889,12509,-866,12595,-843,12664,-840,12696,-827,12734,-840,12697,-867,12593,-911,12509,-939,12444,-1014],[11790,-809,11826,-836,11888,-828,11913,-871,11797,-891,11728,-904,11674,-903,11708,-846,11763,-845,11790,-809],[12290,-809,12276,-865,12125,-893,11992,-881,11992,-845,12071,-824,12134,-854,12201,-846,12290,-809],[15988,-834,15992,-854,15913,-811,15859,-775,15821,-742,15836,-732,15882,-756,15964,-802,15988,-834],[15754,-735,15734,-740,15690,-718,15649,-677,15654,-660,15714,-702,15754,-735],[10862,-678,11054,-688,11076,-646,11261,-695,11298,-759,11448,-778,11571,-837,11457,-875,11346,-835,11256,-838,11152,-830,11059,-812,10943,-774,10869,-764,10828,-777,10645,-736,10628,-693,10536,-685,10605,-590,10726,-596,10807,-635,10849,-642,10862,-678],[13473,-621,13421,-689,13411,-614,13429,-578,13450,-544,13473,-574,13473,-621],[15588,-682,15560,-692,15517,-654,15473,-590,15452,-514,15465,-504,15476,-534,15506,-557,15555,-620,15602,-654,15588,-682],[15198,-548,15146,-556,15130,-584,15075,-608,15024,-632,14971,-632,14889,-603,14832,-575,14840,-544,14930,-558,14985,-551,15e3,-503,15014,-500,15024,-553,15081,-546,15109,-511,15165,-476,15154,-417,15214,-415,15234,-431,15232,-487,15198,-548],[12725,-346,12687,-379,12618,-361,12599,-318,12700,-313,12725,-346],[13047,-309,13083,-386,12999,-345,12916,-336,12859,-343,12790,-339,12813,-284,12937,-280,13047,-309],[15314,-450,15283,-477,15264,-418,15241,-379,15195,-346,15138,-304,15066,-274,15094,-250,15148,-278,15182,-300,15224,-324,15264,-366,15302,-398,15314,-450],[13414,-115,13442,-277,13546,-337,13629,-231,13744,-170,13833,-170,13919,-205,13993,-241,14100,-260,14274,-329,14458,-386,14527,-437,14583,-488,14598,-547,14765,-608,14789,-661,14697,-672,14719,-739,14809,-804,14873,-911,14931,-907,14927,-951,15004,-968,14974,-987,15080,-1029,15069,-1058,15003,-1065,14978,-1039,14892,-1028,14791,-1013,14714,-949,14657,-894,14605,-807,14474,-763,14390,-792,14329,-825,14341,-898,14263,-933,14207,-916,14103,-912,14014,-830,13913,-810,13888,-838,13761,-841,13804,-760,13867,-732,13841,-623,13793,-539,13599,-455,13517,-446,13366,-354,13337,-402,13298,-411,13276,-375,13275,-331,13199,-282,13307,-246,13378,-248,13370,-221,13223,-221,13184,-162,13094,-143,13052,-94,13187,-70,13238,-37,13398,-78,13414,-115],[12524,142,12444,43,12368,24,12272,43,12106,38,12018,24,12004,-52,12093,-141,12147,-96,12334,-62,12326,-108,12282,-93,12239,-152,12151,-191,12245,-319,12227,-353,12317,-468,12316,-534,12263,-563,12224,-528,12272,-446,12174,-485,12149,-457,12162,-419,12090,-360,12097,-263,12030,-293,12039,-410,12043,-553,11980,-567,11937,-538,11965,-446,11950,-349,11908,-349,11877,-280,11918,-215,11932,-135,11983,15,12003,57,12089,131,12167,101,12293,88,12408,92,12507,164,12524,142],[12869,113,12863,26,12812,36,12797,-25,12838,-78,12810,-90,12770,-27,12740,101,12760,181,12793,217,12800,163,12860,154,12869,113],[10582,-585,10471,-587,10387,-504,10258,-422,10216,-361,10140,-280,10090,-205,10014,-65,9926,18,9897,104,9860,182,9770,245,9718,331,9643,387,9538,497,9529,548,9594,544,9748,525,9837,427,9914,359,9969,317,10064,210,10166,208,10250,140,10308,56,10384,10,10344,-71,10401,-106,10437,-108,10454,-178,10489,-234,10562,-243,10611,-306,10586,-431,10582,-585],[11787,183,11900,90,11781,78,11748,10,11752,-80,11656,-149,11653,-248,11615,-401,11600,-366,11486,-411,11447,-350,11376,-344,11326,-312,11207,-348,11170,-300,11105,-305,11022,-293,11007,-159,10957,-131,10909,-46,10895,42,10907,134,10966,201,11040,166,11117,185,11137,270,11180,289,11300,310,11371,389,11421,453,11460,490,11545,545,11622,614,11673,692,11713,693,11764,642,11769,599,11835,571,11918,541,11911,502,11844,497,11862,448,11788,414,11731,324,11805,229,11787,183],[12638,841,12648,775,12654,719,12620,627,12583,729,12536,679,12568,605,12540,558,12422,616,12394,689,12424,736,12361,783,12330,742,12282,746,12209,690,12192,719,12231,804,12294,832,12349,869,12384,824,12460,851,12476,896,12547,899,12541,976,12622,929,12631,878,12638,841],[8122,620,8035,597,7987,676,7970,820,8015,982,8084,927,8131,856,8179,752,8164,648,8122,620],[-6094,1011,-6177,1e3,-6195,1009,-6166,1037,-6168,1076,-6111,1089,-6090,1085,-6094,1011],[12398,1028,12362,995,12331,932,12300,902,12238,971,12259,998,12284,1026,12295,1088,12350,1094,12334,1027,12408,1123,12398,1028],[11850,932,11718,837,11767,907,11839,968,11899,1038,11951,1137,11969,1055,11903,1e3,11850,932],[12188,1189,12248,1158,12312,1158,12310,1117,12264,1074,12200,1044,12197,1091,12204,1142,12188,1189],[12550,1216,12578,1105,12501,1131,12503,1098,12528,1036,12480,1013,12476,1084,12446,1089,12430,1149,12489,1142,12488,1179,12427,1256,12523,1254,12550,1216],[12153,1307,12126,1221,12083,1270,12032,1347,12118,1343,12153,1307],[12132,1850,12194,1822,12224,1848,12234,1822,12217,1781,12251,1709,12225,1626,12166,1593,12151,1513,12173,1433,12226,1422,12270,1434,12395,1378,12385,1324,12418,1300,12408,1254,12330,1303,12293,1355,12267,1319,12204,1378,12113,1364,12063,1386,12068,1427,12099,1453,12069,1476,12056,1440,12007,1497,11992,1541,11988,1636,12029,1603,12039,1760,12071,1851,12132,1850],[-6559,1823,-6585,1798,-6660,1798,-6719,1795,-6724,1837,-6710,1852,-6628,1852,-6577,1843,-6559,1823],[-7690,1787,-7720,1770,-7777,1786,-7834,1823,-7822,1845,-7780,1852,-7757,1849,-7689,1840,-7637,1816,-7620,1789,-7690,1787],[-7258,1987,-7171,1971,-7159,1988,-7081,1988,-7021,1962,-6995,1965,-6977,1929,-6922,1931,-6926,1901,-6881,1898,-6832,1861,-6869,1821,-6917,1842,-6962,1838,-6995,1843,-7013,1825,-7052,1818,-7067,1843,-7100,1828,-7140,1760,-7166,1776,-7171,1804,-7237,1821,-7284,1814,-7345,1822,-7392,1803,-7446,1834,-7437,1866,-7345,1853,-7269,1845,-7233,1867,-7279,1910,-7278,1948,-7341,1964,-7319,1992,-7258,1987],[11034,1868,10948,1820,10865,1851,10863,1937,10912,1982,11021,2010,11079,2008,11101,1970,11057,1926,11034,1868],[-15554,1908,-15569,1892,-15594,1906,-15591,1934,-15607,1970,-15602,1981,-15585,1998,-15592,2017,-15586,2027,-15579,2025,-15540,2008,-15522,1999,-15506,1986,-15481,1951,-15483,1945,-15522,1924,-15554,1908],[-15608,2064,-15642,2057,-15659,2078,-15670,2086,-15671,2093,-15661,2101,-15626,2092,-15599,2076,-15608,2064],[-15676,2118,-15679,2107,-15733,2110,-15725,2122,-15676,2118],[-15765,2132,-15771,2126,-15778,2128,-15813,2131,-15825,2154,-15829,2158,-15803,2172,-15794,2165,-15765,2132],[-15935,2198,-15947,2188,-15980,2206,-15975,2214,-15959,2224,-15936,2222,-15935,2198],[-7968,2277,-7928,2240,-7835,2251,-7799,2228,-7715,2166,-7652,2121,-7619,2122,-7560,2102,-7567,2073,-7493,2069,-7418,2028,-7430,2005,-7496,1992,-7563,1987,-7632,1995,-7776,1986,-7709,2041,-7749,2067,-7814,2074,-7848,2103,-7872,2160,-7929,2156,-8022,2183,-8052,2204,-8182,2219,-8217,2239,-8179,2264,-8278,2269,-8349,2217,-8391,2215,-8405,2191,-8455,2180,-8497,2190,-8445,2221,-8423,2257,-8378,2279,-8327,2298,-8251,2308,-8227,2319,-8141,2312,-8062,2311,-7968,2277],[-7754,2376,-7778,2371,-7803,2429,-7841,2457,-7819,2521,-7789,2517,-7754,2434,-7754,2376],[12118,2279,12075,2197,12022,2281,12011,2356,12069,2454,12150,2530,12195,2500,12178,2439,12118,2279],[-7782,2658,-7891,2642,-7898,2679,-7851,2687,-7785,2684,-7782,2658],[-7700,2659,-7717,2588,-7736,2601,-7734,2653,-7779,2693,-7779,2704,-7700,2659],[13464,3415,13477,3381,13420,3320,13379,3352,13328,3329,13302,3270,13236,3299,13237,3346,13293,3406,13349,3394,13391,3436,13464,3415],[3458,3567,3390,3525,3398,3506,3400,3498,3298,3457,3249,3470,3226,3510,3273,3514,3280,3514,3295,3539,3367,3537,3458,3567],[2370,3571,2425,3537,2503,3543,2577,3535,2575,3518,2629,3530,2616,3500,2472,3492,2473,3509,2351,3528,2370,3571],[1552,3823,1516,3744,1531,3713,1510,3662,1433,3700,1383,3710,1243,3761,1257,3813,1374,3804,1476,3814,1552,3823],[921,4121,981,4050,967,3918,921,3924,881,3891,843,3917,839,4038,816,4095,871,4090,921,4121],[14098,3714,14060,3634,14077,3584,14025,3514,13897,3467,13722,3461,13579,3346,13512,3385,13508,3460,13334,3438,13216,3390,13099,3389,13200,3315,13133,3145,13069,3103,13020,3142,13045,3232,12982,3261,12941,3330,13036,3360,13088,3423,13189,3475,13262,3543,13461,3573,13568,3553,13672,3730,13739,3683,13886,3783,13943,3822,14005,3944,13988,4056,14031,4120,14137,4138,14192,3999,14188,3918,14096,3817,14098,3714],[956,4215,923,4138,878,4158,854,4226,875,4263,939,4301,956,4215],[14391,4417,14461,4396,14532,4438,14554,4326,14406,4299,14318,4199,14161,4268,14107,4159,13996,4157,13982,4256,14031,4333,14138,4339,14167,4477,14197,4555,14314,4451,14391,4417],[-6366,4655,-6294,4642,-6201,4644,-6251,4603,-6287,4597,-6414,4639,-6439,4673,-6401,4704,-6366,4655],[-6181,4911,-6229,4909,-6359,4940,-6452,4987,-6417,4996,-6286,4971,-6184,4929,-6181,4911],[-12351,4851,-12401,4837,-12565,4883,-12596,4918,-12685,4953,-12703,4981,-12806,5e3,-12844,5054,-12836,5077,-12731,5055,-12669,5040,-12575,5029,-12542,4995,-12492,4948,-12392,4906,-12351,4851],[-5613,5069,-5680,4981,-5614,5015,-5547,4994,-5582,4959,-5493,4931,-5447,4956,-5348,4925,-5379,4852,-5309,4869,-5296,4816,-5265,4754,-5307,4666,-5352,4662,-5418,4681,-5396,4763,-5424,4775,-5540,4688,-5600,4692,-5529,4739,-5625,4763,-5733,4757,-5927,4760,-5942,4790,-5880,4825,-5923,4852,-5839,4913,-5736,5072,-5674,5129,-5587,5163,-5541,5159,-5560,5132,-5613,5069],[-13271,5404,-13175,5412,-13205,5298,-13118,5218,-13158,5218,-13218,5264,-13255,5310,-13306,5341,-13324,5385,-13318,5417,-13271,5404],[14365,5075,14465,4898,14318,4931,14256,4786,14354,4684,14351,4614,14275,4674,14209,4597,14191,4681,14202,4778,14190,4886,14213,4961,14218,5095,14159,5194,14168,5330,14261,5376,14221,5423,14265,5437,14292,5370,14326,5274,14324,5176,14365,5075],[-679,5226,-856,5167,-998,5182,-917,5286,-969,5388,-833,5467,-757,5513,-673,5517,-566,5456,-620,5387,-603,5315,-679,5226],[1269,5561,1209,5480,1104,5536,1090,5578,1237,5611,1269,5561],[-15301,5712,-15400,5674,-15452,5699,-15467,5746,-15376,5782,-15323,5797,-15256,5790,-15214,5759,-15301,5712],[-300,5863,-407,5755,-305,5769,-196,5768,-222,5687,-312,5597,-209,5591,-111,5462,-43,5446,19,5332,47,5293,168,5274,156,5210,105,5181,145,5129,55,5077,-79,5078,-249,5050,-296,5070,-362,5023,-454,5034,-524,4996,-578,5016,-431,5121,-341,5143,-498,5159,-527,5199,-422,5230,-477,5284,-458,5350,-309,5340,-295,5398,-363,5461,-484,5479,-508,5506,-472,5551,-505,5578,-559,5531,-565,5627,-615,5678,-579,5782,-501,5863,-421,5855,-300,5863],[-16558,5991,-16619,5975,-16685,5994,-16745,6021,-16647,6038,-16568,6029,-16558,5991],[-7927,6216,-7966,6163,-8010,6172,-8036,6202,-8032,6209,-7993,6238,-7952,6236,-7927,6216],[-8190,6271,-8307,6216,-8377,6218,-8399,6245,-8325,6291,-8188,6290,-8190,6271],[-17173,6378,-17112,6359,-17049,6369,-16968,6343,-16869,6330,-16877,6319,-16953,6298,-17029,6319,-17067,6338,-17155,6332,-17179,6341,-17173,6378],[-8516,6566,-8498,6522,-8446,6537,-8388,6511,-8279,6477,-8164,6445,-8155,6398,-8082,6406,-8010,6373,-8099,6341,-8255,6365,-8311,6410,-8410,6357,-8552,6305,-8587,6364,-8722,6354,-8635,6404,-8623,6482,-8588,6574,-8516,6566],[-1451,6646,-1474,6581,-1361,6513,-1491,6436,-1779,6368,-1866,6350,-1997,6364,-2276,6396,-2178,6440,-2396,6489,-2219,6508,-2223,6538,-2433,6561,-2365,6626,-2213,6641,-2058,6573,-1906,6628,-1780,6599,-1617,6653,-1451,6646],[-7587,6715,-7699,6710,-7724,6759,-7681,6815,-7589,6829,-7511,6801,-7510,6758,-7522,6744,-7587,6715],[-18e3,6896,-17755,6820,-17493,6721,-17501,6658,-17434,6634,-17457,6706,-17186,6691,-16990,6598,-17089,6554,-17253,6544,-17256,6446,-17295,6425,-17389,6428,-17465,6463,-17598,6492,-17621,6536,-17722,6552,-17836,6539,-17890,6574,-17869,6611,-17988,6587,-17943,6540,-18e3,6498],[-9565,6911,-9627,6876,-9762,6906,-9843,6895,-9980,6940,-9892,6971,-9822,7014,-9716,6986,-9656,6968,-9626,6949,-9565,6911],[18e3,7083,17890,7078,17873,7110],[-18e3,7152,-17987,7156,-17902,7156,-17758,7127,-17766,7113,-17869,7089,-18e3,7083],[-9055,6950,-9055,6847,-8921,6926,-8802,6862,-8832,6787,-8735,6720,-8631,6792,-8558,6878,-8552,6988,-8410,6981,-8262,6966,-8128,6916,-8122,6867,-8196,6813,-8126,6760,-8139,6711,-8335,6641,-8474,6626,-8577,6656,-8607,6606,-8703,6521,-8732,6478,-8848,6410,-8991,6403,-9070,6361,-9077,6296,-9193,6284,-9316,6202,-9424,6090,-9463,6011,-9468,5895,-9321,5878,-9276,5785,-9230,5709,-9090,5729,-8904,5685,-8804,5647,-8732,5600,-8607,5572,-8501,5530,-8336,5525,-8227,5515,-8244,5428,-8213,5328,-8140,5216,-7991,5121,-7914,5153,-7860,5256,-7912,5414,-7983,5467,-7823,5514,-7710,5584,-7654,5653,-7662,5720,-7730,5805,-7852,5881,-7734,5985,-7777,6076,-7811,6232,-7741,6255,-7570,6228,-7467,6218,-7384,6244,-7291,6211,-7168,6153,-7137,6114,-6959,6106,-6962,6022,-6929,5896,-6837,5880,-6765,5821,-6620,5877,-6525,5987,-6458,6034,-6381,5944,-6250,5817,-6140,5697,-6180,5634,-6047,5578,-5957,5520,-5798,5495,-5733,5463,-5694,5378,-5616,5365,-5576,5327,-5568,5215,-5641,5177,-5713,5142,-5878,5107,-6003,5024,-6172,5008,-6386,5029,-6536,5030,-6640,5023,-6724,4951,-6851,4907,-6995,4774,-7111,4682,-7026,4699,-6865,4830,-6655,4913,-6505,4923,-6417,4874,-6512,4807,-6480,4699,-6447,4624,-6317,4574,-6152,4588,-6052,4701,-6045,4628,-5980,4592,-6104,4526,-6325,4467,-6425,4427,-6536,4355,-6612,4362,-6616,4447,-6442,4529,-6603,4526,-6714,4514,-6697,4481,-6803,4433,-6906,4398,-7012,4368,-7069,4303,-7081,4286,-7083,4233,-7049,4181,-7008,4178,-7018,4215,-6989,4192,-6996,4164,-7064,4148,-7112,4150,-7186,4132,-7229,4127,-7288,4122,-7371,4093,-7224,4112,-7194,4093,-7335,4063,-7398,4063,-7395,4075,-7426,4047,-7396,4043,-7418,3971,-7491,3894,-7498,3920,-7520,3925,-7553,3950,-7532,3896,-7508,3878,-7506,3840,-7538,3802,-7594,3722,-7603,3726,-7572,3794,-7623,3832,-7635,3915,-7654,3872,-7633,3808,-7696,3823,-7630,3792,-7626,3697,-7597,3690,-7587,3655,-7573,3555,-7636,3481,-7740,3451,-7805,3393,-7855,3386,-7906,3349,-7920,3316,-8030,3251,-8087,3203,-8134,3144,-8149,3073,-8131,3004,-8098,2918,-8053,2847,-8053,2804,-8006,2688,-8009,2621,-8013,2582,-8038,2521,-8068,2508,-8117,2520,-8133,2564,-8171,2587,-8224,2673,-8271,2749,-8286,2789,-8265,2855,-8293,2910,-8371,2994,-8410,3009,-8511,2964,-8529,2969,-8577,3015,-8640,3040,-8753,3027,-8842,3039,-8918,3032,-8961,3018,-8941,2989,-8943,2949,-8922,2929,-8941,2916,-8978,2931,-9015,2912,-9088,2915,-9163,2968,-9250,2955,-9322,2978,-9385,2971,-9469,2948,-9560,2874,-9659,2831,-9714,2783,-9737,2738,-9738,2669,-9733,2621,-9714,2587,-9753,2499,-9770,2427,-9778,2293,-9787,2244,-9770,2190,-9739,2141,-9719,2064,-9653,1989,-9629,1932,-9590,1883,-9484,1856,-9443,1814,-9355,1842,-9279,1853,-9204,1871,-9141,1888,-9077,1928,-9053,1987,-9045,2071,-9028,2100,-8960,2126,-8854,2149,-8766,2146,-8705,2154,-8681,2133,-8685,2085,-8738,2026,-8762,1965,-8744,1947,-8759,1904,-8784,1826,-8809,1852,-8830,1850,-8830,1835,-8811,1835,-8812,1808,-8829,1764,-8820,1749,-8830,1713,-8824,1704,-8835,1653,-8855,1627,-8873,1623,-8893,1589,-8861,1571,-8852,1585,-8822,1573,-8812,1569,-8790,1586,-8762,1588,-8752,1580,-8737,1585,-8690,1576,-8644,1578,-8612,1589,-8600,1601,-8568,1595,-8545,1589,-8518,1591,-8498,1600,-8453,1586,-8437,1583,-8406,1565,-8377,1542,-8341,1527,-8315,1500,-8323,1490,-8329,1468,-8318,1431,-8341,1397,-8352,1357,-8355,1313,-8350,1287,-8347,1242,-8363,1232,-8372,1189,-8365,1163,-8385,1137,-8381,1110,-8366,1094,-8340,1040,-8302,999,-8255,957,-8219,921,-8221,900,-8181,895,-8172,903,-8144,879,-8095,886,-8052,911,-7992,931,-7957,961,-7902,955,-7906,946,-7850,942,-7805,925,-7773,895,-7735,867,-7684,864,-7608,934,-7567,944,-7566,977,-7548,1062,-7491,1108,-7428,1110,-7420,1131,-7341,1123,-7263,1173,-7224,1196,-7175,1244,-7140,1238,-7114,1211,-7133,1178,-7136,1154,-7195,1142,-7162,1097,-7163,1045,-7207,987,-7170,907,-7126,914,-7104,986,-7135,1021,-7140,1097,-7016,1138,-7029,1185,-6994,1216,-6958,1146,-6888,1144,-6823,1089,-6819,1056,-6730,1055,-6623,1065,-6566,1020,-6489,1008,-6433,1039,-6432,1064,-6308,1070,-6188,1072,-6273,1042,-6239,995,-6159,987,-6083,938,-6067,858,-6015,860,-5976,837,-5910,800,-5848,735,-5846,683,-5808,681,-5754,632,-5715,597,-5595,577,-5584,595,-5503,603,-5396,576,-5362,565,-5288,541,-5182,457,-5166,416,-5132,420,-5107,365,-5051,190,-4997,174,-4995,105,-5070,22,-5039,-8,-4862,-23,-4858,-124,-4782,-58,-4657,-94,-4491,-155,-4442,-214,-4458,-269,-4342,-238,-4147,-291,-3998,-287,-3850,-370,-3722,-482,-3645,-511,-3560,-515,-3524,-546,-3490,-674,-3473,-734,-3513,-900,-3564,-965,-3705,-1104,-3768,-1217,-3842,-1304,-3867,-1306,-3895,-1379,-3888,-1567,-3916,-1721,-3927,-1787,-3958,-1826,-3976,-1960,-4078,-2090,-4095,-2194,-4176,-2237,-4199,-2297,-4308,-2297,-4465,-2335,-4535,-2380,-4647,-2409,-4765,-2489,-4849,-2588,-4864,-2662,-4848,-2718,-4866,-2819,-4889,-2867,-4959,-2922,-5070,-3099,-5158,-3178,-5226,-3225,-5271,-3320,-5337,-3377,-5381,-3440,-5493,-3495,-5567,-3475,-5622,-3486,-5714,-3443,-5782,-3446,-5843,-3391,-5850,-3443,-5722,-3529,-5736,-3598,-5674,-3641,-5679,-3690,-5775,-3818,-5923,-3872,-6124,-3893,-6234,-3883,-6212,-3942,-6233,-4017,-6215,-4068,-6275,-4103,-6377,-4117,-6473,-4080,-6512,-4106,-6498,-4206,-6430,-4236,-6375,-4204,-6346,-4256,-6438,-4287,-6518,-4349,-6533,-4450,-6557,-4504,-6651,-4504,-6729,-4555,-6758,-4630,-6660,-4703,-6564,-4724,-6599,-4813,-6717,-4870,-6782,-4987,-6873,-5027,-6914,-5073,-6882,-5177,-6815,-5235,-6857,-5230,-6946,-5229,-6994,-5254,-7084,-5290,-7101,-5383,-7143,-5386,-7256,-5353,-7370,-5283,-7495,-5226,-7526,-5163,-7498,-5104,-7548,-5038,-7561,-4867,-7518,-4771,-7413,-4694,-7565,-4665,-7469,-4576,-7435,-4410,-7324,-4445,-7272,-4238,-7339,-4212,-7370,-4337,-7433,-4323,-7402,-4180,-7368,-3994,-7322,-3926,-7350,-3828,-7359,-3716,-7317,-3712,-7255,-3551,-7186,-3391,-7144,-3242,-7167,-3092,-7137,-3010,-7149,-2886,-7090,-2764,-7072,-2571,-7040,-2363,-7009,-2139,-7016,-1976,-7037,-1835,-7138,-1777,-7146,-1736,-7345,-1636,-7524,-1527,-7601,-1465,-7642,-1382,-7626,-1353,-7711,-1222,-7809,-1038,-7904,-839,-7945,-793,-7976,-719,-8054,-654,-8125,-614,-8093,-569,-8141,-474,-8110,-404,-8030,-340,-7977,-266,-7999,-222,-8037,-269,-8097,-225,-8077,-196,-8093,-106,-8059,-91,-8040,-28,-8002,36,-8009,77,-7954,98,-7886,138,-7899,169,-7862,177,-7866,227,-7843,263,-7793,270,-7751,332,-7713,385,-7750,409,-7731,467,-7753,558,-7732,584,-7748,669,-7788,722,-7822,751,-7843,805,-7818,832,-7844,839,-7862,872,-7912,900,-7956,893,-7976,859,-8016,833,-8038,830,-8048,809,-8001,755,-8028,742,-8042,727,-8089,722,-8106,782,-8119,765,-8152,771,-8172,811,-8213,818,-8239,829,-8282,829,-8285,807,-8296,822,-8351,845,-8371,866,-8359,883,-8363,905,-8391,929,-8430,949,-8465,962,-8471,991,-8498,1009,-8491,980,-8511,956,-8534,983,-8566,993,-8580,1014,-8579,1044,-8566,1076,-8594,1090,-8571,1109,-8606,1140,-8653,1181,-8674,1214,-8717,1246,-8767,1291,-8756,1307,-8739,1291,-8732,1298,-8749,1330,-8779,1339,-8790,1315,-8848,1316,-8884,1326,-8926,1346,-8981,1352,-9010,1374,-9061,1391,-9123,1393,-9169,1413,-9223,1454,-9336,1562,-9388,1594,-9469,1620,-9525,1613,-9605,1575,-9656,1565,-9726,1592,-9801,1611,-9895,1657,-9970,1671,-10083,1717,-10167,1765,-10192,1792,-10248,1798,-10350,1829,-10392,1875,-10499,1932,-10549,1995,-10573,2043,-10540,2053,-10550,2082,-10527,2108,-10527,2142,-10560,2187,-10569,2227,-10603,2277,-10691,2377,-10792,2455,-10840,2517,-10926,2558,-10944,2583,-10929,2644,-10980,2668,-11039,2716,-11064,2786,-11118,2794,-11176,2847,-11223,2896,-11227,2927,-11281,3002,-11317,3079,-11315,3117,-11387,3157,-11421,3152,-11478,3180,-11494,3139,-11477,3091,-11467,3016,-11433,2975,-11359,2906,-11342,2883,-11327,2876,-11314,2841,-11296,2843,-11276,2778,-11246,2753,-11224,2717,-11162,2666,-11129,2573,-11099,2529,-11071,2483,-11066,2430,-11017,2427,-10977,2381,-10941,2336,-10943,2319,-10985,2282,-11003,2282,-11030,2343,-11095,2400,-11167,2449,-11218,2474,-11215,2547,-11230,2601,-11278,2632,-11346,2677,-11360,2664,-11385,2690,-11446,2714,-11506,2772,-11498,2780,-11457,2774,-11420,2812,-11416,2857,-11493,2928,-11552,2956,-11589,3018,-11626,3084,-11672,3164,-11713,3253,-11729,3305,-11794,3362,-11841,3374,-11852,3403,-11908,3408,-11944,3435,-12037,3445,-12062,3461,-12074,3516,-12172,3616,-12255,3755,-12251,3778,-12295,3811,-12373,3895,-12386,3977,-12440,4031,-12418,4114,-12421,4200,-12453,4277,-12414,4371,-12390,4552,-12408,4686,-12440,4772,-12469,4818,-12457,4838,-12312,4804,-12259,4710,-12234,4736,-12250,4818,-12284,4900,-12298,4900,-12491,4999,-12563,5042,-12744,5083,-12799,5172,-12785,5233,-12913,5276,-12930,5356,-13051,5429,-13054,5480,-13109,5518,-13197,5550,-13225,5637,-13354,5718,-13408,5812,-13504,5819,-13663,5821,-13780,5850,-13987,5954,-14082,5973,-14257,6008,-14396,6e3,-14593,6046,-14711,6089,-14823,6067,-14802,5998,-14857,5991,-14973,5971,-15061,5937,-15171,5916,-15186,5974,-15141,6073,-15035,6103,-15062,6128,-15189,6073,-15258,6006,-15402,5935,-15329,5886,-15423,5815,-15531,5773,-15631,5742,-15656,5698,-15812,5646,-15843,5599,-15960,5557,-16029,5564,-16122,5536,-16224,5502,-16307,5469,-16479,5440,-16494,5457,-16385,5504,-16287,5535,-16181,5590,-16056,5601,-16007,5642,-15868,5702,-15846,5722,-15772,5757,-15755,5833,-15704,5892,-15819,5862,-15852,5879,-15906,5842,-15971,5893,-15998,5857,-16035,5907,-16136,5867,-16197,5867,-16205,5927,-16187,5963,-16252,5999,-16382,5980,-16466,6027,-16535,6051,-16535,6107,-16612,6150,-16573,6208,-16492,6263,-16456,6315,-16375,6322,-16307,6306,-16226,6354,-16154,6346,-16077,6377,-16096,6422,-16152,6440,-16078,6479,-16139,6478,-16245,6456,-16276,6434,-16355,6456,-16496,6445,-16642,6469,-16685,6509,-16811,6567,-16671,6609,-16447,6658,-16365,6658,-16379,6608,-16168,6612,-16249,6673,-16372,6712,-16443,6762,-16539,6804,-16676,6836,-16620,6888,-16443,6891,-16317,6937,-16293,6986,-16191,7033,-16093,7045,-15904,7089,-15812,7082,-15658,7136,-15507,7115,-15434,7070,-15390,7089,-15221,7083,-15227,7060,-15074,7043,-14972,7053,-14761,7021,-14569,7012,-14492,6999,-14359,7015,-14207,6985,-14099,6971,-13912,6947,-13754,6899,-13650,6890,-13563,6932,-13442,6963,-13293,6951,-13143,6994,-12979,7019,-12911,6978,-12836,7001,-12814,7048,-12745,7038,-12575,6948,-12443,7016,-12429,6940,-12306,6956,-12268,6986,-12147,6980,-11994,6938,-11760,6901,-11623,6884,-11525,6891,-11390,6840,-11530,6790,-11350,6769,-11080,6781,-10995,6798,-10888,6738,-10779,6789,-10881,6831,-10817,6865,-10695,6870,-10615,6880,-10534,6856,-10434,6802,-10322,6810,-10145,6765,-9990,6781,-9844,6778,-9856,6840,-9767,6858,-9612,6824,-9613,6729,-9549,6809,-9469,6806,-9423,6907,-9531,6968,-9647,7009,-9639,7119,-9521,7192,-9389,7176,-9288,7132,-9152,7019,-9241,6970,-9055,6950],[-11417,7312,-11467,7265,-11244,7295,-11105,7245,-10992,7296,-10901,7263,-10819,7165,-10769,7206,-10840,7309,-10752,7324,-10652,7308,-10540,7267,-10477,7170,-10446,7099,-10279,7050,-10098,7003,-10109,6959,-10273,6950,-10209,6912,-10243,6875,-10424,6891,-10596,6918,-10712,6912,-10900,6878,-11197,6861,-11331,6854,-11386,6901,-11522,6928,-11611,6917,-11734,6996,-11668,7007,-11513,7024,-11372,7019,-11242,7037,-11435,7060,-11649,7052,-11791,7054,-11843,7091,-11611,7131,-11765,7129,-11940,7156,-11856,7231,-11787,7271,-11519,7331,-11417,7312],[-10450,7342,-10538,7276,-10694,7346,-10660,7360,-10526,7364,-10450,7342],[-7634,7310,-7625,7283,-7732,7286,-7839,7288,-7949,7274,-7977,7280,-8088,7333,-8083,7369,-8035,7376,-7806,7365,-7634,7310],[-8656,7316,-8577,7253,-8485,7334,-8232,7375,-8060,7272,-8075,7206,-7877,7235,-7782,7275,-7561,7224,-7423,7177,-7410,7133,-7224,7156,-7120,7092,-6879,7052,-6792,7012,-6697,6919,-6881,6872,-6645,6807,-6486,6785,-6342,6693,-6185,6686,-6216,6616,-6392,6500,-6515,6543,-6672,6639,-6801,6626,-6814,6569,-6709,6511,-6573,6465,-6532,6438,-6467,6339,-6501,6267,-6627,6295,-6878,6375,-6737,6288,-6633,6228,-6617,6193,-6888,6233,-7102,6291,-7224,6340,-7189,6368,-7338,6419,-7484,6468,-7482,6439,-7771,6423,-7855,6457,-7790,6531,-7602,6533,-7396,6546,-7429,6581,-7395,6631,-7265,6728,-7293,6773,-7331,6807,-7484,6855,-7687,6889,-7623,6915,-7729,6977,-7817,6983,-7896,7017,-7949,6987,-8131,6974,-8494,6997,-8706,7026,-8868,7041,-8951,7076,-8847,7122,-8989,7122,-9020,7224,-8944,7313,-8841,7354,-8583,7380,-8656,7316],[-10036,7384,-9916,7363,-9738,7376,-9712,7347,-9805,7299,-9654,7256,-9672,7166,-9836,7127,-9932,7136,-10001,7174,-10250,7251,-10248,7283,-10044,7271,-10154,7336,-10036,7384],[14360,7321,14209,7321,14004,7332,13986,7337,14081,7377,14206,7386,14348,7347,14360,7321],[-9320,7277,-9427,7202,-9541,7206,-9603,7294,-9602,7344,-9550,7386,-9450,7413,-9242,7410,-9051,7386,-9200,7297,-9320,7277],[-12046,7140,-12309,7090,-12362,7134,-12593,7187,-12559,7219,-12481,7302,-12394,7368,-12492,7429,-12154,7445,-12011,7424,-11756,7419,-11659,7390,-11551,7347,-11677,7322,-11922,7252,-12046,7182,-12046,7140],[15073,7508,14958,7469,14798,7478,14612,7517,14636,7550,14822,7535,15073,7508],[-9361,7498,-9416,7459,-9561,7467,-9682,7493,-9629,7538,-9485,7565,-9398,7530,-9361,7498],[14509,7556,14430,7482,14062,7485,13896,7461,13698,7526,13751,7595,13883,7614,14147,7609,14509,7556],[-9850,7672,-9774,7626,-9770,7574,-9816,7500,-9981,7490,-10088,7506,-10086,7564,-10250,7556,-10257,7634,-10149,7631,-9998,7665,-9858,7659,-9850,7672],[-10821,7620,-10782,7585,-10693,7601,-10588,7597,-10571,7548,-10631,7500,-10970,7485,-11222,7442,-11374,7439,-11387,7472,-11179,7516,-11631,7504,-11771,7522,-11635,7620,-11540,7648,-11259,7614,-11081,7555,-10907,7547,-11050,7643,-10958,7679,-10855,7668,-10821,7620],[5753,7072,5694,7063,5368,7076,5341,7121,5160,7147,5146,7202,5248,7223,5244,7278,5443,7363,5351,7375,5590,7463,5563,7508,5787,7561,6117,7625,6450,7644,6621,7681,6816,7694,6885,7654,6818,7623,6464,7574,6158,7526,5848,7431,5699,7333,5542,7237,5562,7154,5753,7072],[-9468,7710,-9357,7678,-9160,7678,-9074,7645,-9097,7607,-8982,7585,-8919,7561,-8784,7557,-8638,7548,-8479,7570,-8275,7578,-8113,7571,-8006,7534,-7983,7492,-8046,7466,-8195,7444,-8323,7456,-8610,7441,-8815,7439,-8977,7452,-9242,7484,-9277,7539,-9289,7588,-9389,7632,-9596,7644,-9712,7675,-9675,7716,-9468,7710],[-11620,7765,-11634,7688,-11711,7653,-11804,7648,-11990,7605,-12150,7590,-12286,7612,-12116,7686,-11911,7751,-11757,7750,-11620,7765],[4911,4128,4962,4057,5009,4053,5039,4026,4957,4018,4939,3940,4923,3905,4886,3882,4888,3832,4920,3758,5015,3737,5084,3687,5226,3670,5383,3696,5392,3720,5374,3791,5388,3895,5310,3929,5336,3998,5270,4003,5292,4088,5386,4063,5474,4095,5401,4155,5372,4212,5292,4187,5281,4113,5250,4178,5245,4203,5269,4244,5250,4279,5134,4313,5089,4403,5034,4428,5031,4461,5128,4451,5132,4525,5217,4541,5304,4526,5322,4623,5304,4685,5204,4680,5119,4705,5004,4661,4910,4640,4865,4581,4768,4564,4668,4461,4759,4366,4749,4299,4858,4181,4911,4128],[17999,6497,17871,6453,17741,6461,17831,6408,17891,6325,17937,6298,17949,6257,17923,6230,17736,6252,17457,6177,17368,6165,17215,6095,17070,6034,17033,5988,16890,6057,16629,5979,16584,6016,16488,5973,16354,5987,16322,5921,16202,5824,16205,5784,16319,5762,16306,5616,16213,5612,16170,5529,16212,5485,16037,5435,16002,5320,15853,5296,15823,5194,15679,5101,15642,5170,15599,5316,15543,5538,15592,5677,15676,5736,15681,5783,15836,5806,16015,5931,16187,6034,16367,6114,16447,6255,16326,6247,16266,6164,16012,6055,15930,6177,15672,6143,15422,5976,15504,5915,15281,5888,15126,5878,15134,5950,14978,5966,14855,5916,14549,5934,14220,5904,13896,5709,13513,5473,13670,5460,13719,5398,13816,5375,13880,5426,13990,5419,14135,5309,14138,5224,14060,5124,14051,5005,14006,4845,13856,4700,13822,4631,13686,4514,13551,4399,13487,4340,13354,4281,13291,4280,13228,4328,13094,4255,13078,4222,13040,4228,12997,4194,12967,4160,12970,4088,12919,4066,12901,4048,12863,4019,12797,4003,12753,3976,12750,3932,12739,3921,12779,3905,12835,3861,12921,3743,12946,3678,12947,3563,12909,3508,12818,3489,12739,3448,12649,3439,12637,3493,12656,3568,12612,3673,12686,3689,12618,3775,12569,3794,12557,3775,12528,3767,12524,3786,12498,3795,12471,3811,12499,3855,12522,3867,12513,3885,12539,3939,12532,3955,12474,3966,12426,3993,12287,3964,12213,3917,12105,3890,12159,3936,12138,3975,12217,4042,12164,4095,12077,4059,11964,3990,11902,3925,11804,3920,11753,3874,11806,3806,11888,3790,11891,3745,11970,3716,12082,3787,12171,3748,12236,3746,12252,3693,12110,3665,12064,3611,11966,3561,11915,3491,12023,3436,12062,3338,12123,3246,12191,3169,12189,3095,12127,3068,12150,3014,12209,2983,12194,2902,12168,2823,12113,2814,12039,2705,11958,2574,11866,2455,11728,2363,11589,2278,11476,2267,11415,2222,11381,2255,11324,2205,11184,2155,11079,2140,11044,2034,10989,2028,10963,2101,10986,2139,10852,2172,10805,2155,10671,2070,10588,1975,10566,1906,10643,1800,10736,1670,10827,1608,10888,1528,10933,1343,10920,1167,10837,1101,10722,1036,10640,953,10516,860,10480,924,10508,992,10433,1049,10350,1063,10309,1115,10258,1219,10169,1265,10083,1263,10098,1341,10010,1341,10002,1231,9948,1085,9915,996,9922,924,9987,921,10028,830,10046,743,10102,686,10162,674,10214,622,10237,613,10296,553,10338,485,10344,418,10333,373,10343,338,10350,279,10386,252,10425,163,10423,129,10352,123,10257,197,10139,276,10127,327,10069,394,10056,477,10020,531,10031,604,10009,646,9969,685,9952,734,9899,791,9850,838,9834,779,9815,835,9826,897,9855,993,9846,1068,9877,1144,9843,1203,9851,1312,9810,1364,9778,1484,9760,1610,9716,1693,9650,1643,9537,1571,9481,1580,9419,1604,9454,1728,9433,1821,9354,1937,9366,1973,9308,1986,9237,2067,9208,2119,9203,2170,9184,2218,9142,2277,9050,2280,9059,2239,9027,2184,8985,2204,8970,2186,8942,2197,8903,2206,8889,2169,8821,2170,8698,2150,8703,2074,8650,2015,8506,1948,8394,1830,8319,1767,8219,1702,8219,1656,8169,1631,8079,1595,8033,1590,8002,1514,8023,1384,8029,1301,7986,1206,7986,1036,7934,1031,7889,955,7919,922,7828,893,7794,825,7754,797,7659,890,7613,1030,7575,1131,7540,1178,7486,1274,7462,1399,7444,1462,7353,1599,7312,1793,7282,1921,7282,2042,7263,2136,7117,2076,7047,2088,6917,2209,6964,2245,6935,2284,6818,2369,6744,2395,6715,2466,6637,2542,6453,2524,6291,2522,6150,2508,5961,2538,5853,2561,5740,2574,5697,2697,5649,2714,5572,2696,5472,2648,5349,2681,5248,2758,5152,2787,5085,2881,5011,3015,4958,2999,4894,3032,4857,2993,4798,2998,4818,2953,4809,2931,4842,2855,4881,2769,4930,2746,4947,2711,5015,2669,5021,2628,5011,2594,5024,2561,5053,2533,5066,2500,5081,2475,5074,2548,5101,2601,5129,2612,5159,2580,5161,2522,5139,2463,5158,2424,5176,2429,5180,2402,5258,2418,5340,2415,5401,2412,5469,2480,5544,2544,5607,2606,5636,2640,5649,2631,5639,2590,5626,2571,5640,2493,5685,2424,5740,2388,5814,2375,5873,2357,5918,2299,5945,2266,5981,2253,5981,2231,5944,2171,5928,2143,5886,2111,5849,2043,5803,2048,5783,2024,5767,1974,5779,1907,5770,1895,5724,1895,5661,1857,5651,1809,5628,1788,5566,1788,5527,1763,5527,1723,5479,1695,5424,1704,5357,1671,5311,1665,5239,1638,5219,1594,5217,1560,5117,1518,4957,1471,4868,1400,4824,1395,4794,1401,4735,1359,4672,1340,4588,1335,4563,1329,4541,1303,4514,1295,4499,1270,4449,1272,4417,1259,4348,1264,4322,1322,4325,1377,4309,1406,4289,1480,4260,1521,4281,1526,4270,1572,4282,1591,4278,1635,4265,1678,4235,1708,4227,1747,4176,1783,4122,1867,4094,1949,4025,2017,3980,2034,3914,2129,3902,2199,3907,2258,3849,2369,3803,2408,3749,2429,3715,2486,3721,2508,3693,2560,3664,2583,3625,2657,3564,2738,3513,2806,3463,2806,3479,2861,3483,2896,3495,2936,3492,2950,3464,2910,3443,2834,3416,2782,3392,2765,3359,2797,3314,2842,3242,2985,3232,2976,3273,2870,3335,2770,3410,2614,3447,2560,3480,2503,3569,2393,3549,2375,3553,2310,3669,2221,3687,2200,3719,2102,3697,2084,3711,1981,3748,1861,3786,1837,3841,1800,3899,1684,3927,1592,3981,1544,4118,1449,4173,1392,4228,1334,4259,1300,4308,1270,4332,1239,4329,1198,4272,1174,4314,1146,4347,1128,4367,1087,4412,1045,4461,1044,4556,1070,4664,1082,4753,1113,4802,1119,4838,1138,4895,1141,4927,1143,4973,1158,5026,1168,5073,1202,5111,1202,5113,1175,5104,1117,5105,1064,5083,1028,5055,920,5007,808,4945,680,4860,534,4774,422,4656,286,4556,205,4407,105,4314,29,4204,-92,4181,-145,4159,-168,4088,-208,4064,-250,4026,-257,4012,-328,3980,-368,3961,-435,3920,-468,3874,-591,3880,-648,3944,-684,3947,-710,3920,-770,3925,-801,3919,-849,3954,-911,3995,-1010,4032,-1032,4048,-1077,4044,-1176,4056,-1264,4060,-1420,4078,-1469,4048,-1541,4009,-1610,3945,-1672,3854,-1710,3741,-1759,3628,-1866,3590,-1884,3520,-1955,3479,-1978,3470,-2050,3518,-2125,3537,-2184,3539,-2214,3556,-2209,3553,-2307,3537,-2353,3561,-2371,3546,-2412,3504,-2448,3422,-2482,3301,-2536,3257,-2573,3266,-2615,3292,-2622,3283,-2674,3258,-2747,3246,-2830,3220,-2875,3152,-2926,3133,-2940,3090,-2991,3062,-3042,3005,-3114,2892,-3217,2822,-3277,2747,-3323,2642,-3362,2591,-3367,2578,-3395,2517,-3380,2468,-3399,2359,-3379,2299,-3392,2257,-3386,2154,-3426,2069,-3442,2007,-3480,1961,-3482,1919,-3446,1886,-3444,1842,-3400,1838,-3414,1824,-3387,1825,-3328,1793,-3261,1825,-3243,1822,-3166,1757,-3073,1707,-2988,1706,-2988,1635,-2858,1560,-2782,1521,-2709,1499,-2612,1474,-2539,1441,-2385,1438,-2266,1426,-2211,1387,-2170,1335,-2087,1283,-1967,1261,-1905,1180,-1807,1173,-1730,1164,-1667,1178,-1579,1212,-1488,1218,-1445,1250,-1355,1274,-1314,1331,-1248,1364,-1204,1374,-1130,1369,-1073,1339,-1037,1312,-977,1288,-917,1293,-896,1324,-856,1293,-760,1273,-693,1223,-629,1232,-610,1218,-579,1191,-504,1109,-398,1007,-297,941,-214,880,-111,883,-78,905,-46,929,27,949,101,930,116,965,228,979,307,941,373,895,390,875,435,849,450,850,477,746,441,708,447,670,424,590,426,536,489,503,561,433,627,357,626,269,626,187,614,106,593,-51,534,-106,500,-196,471,-286,500,-331,498,-401,518,-465,517,-583,499,-653,471,-752,434,-771,436,-798,436,-901,483,-991,559,-1077,614,-1144,679,-1171,686,-1243,726,-1295,780,-1312,816,-1325,890,-1369,949,-1407,989,-1433,1002,-1458,1022,-1469,1066,-1484,1088,-1513,1104,-1567,1146,-1609,1153,-1631,1181,-1631,1196,-1661,1217,-1668,1239,-1684,1315,-1671,1360,-1713,1437,-1762,1473,-1718,1492,-1670,1562,-1646,1614,-1655,1667,-1627,1717,-1615,1811,-1626,1910,-1638,1959,-1628,2009,-1654,2057,-1706,2100,-1702,2142,-1697,2189,-1659,2216,-1626,2268,-1633,2302,-1598,2372,-1542,2436,-1509,2452,-1482,2510,-1480,2564,-1444,2625,-1378,2662,-1314,2764,-1262,2804,-1169,2815,-1090,2883,-1040,2910,-956,2993,-982,3118,-943,3204,-930,3257,-866,3324,-766,3370,-691,3411,-624,3515,-593,3576,-519,3576,-459,3533,-364,3540,-260,3518,-217,3517,-121,3572,-13,3589,50,3630,147,3661,316,3678,482,3686,532,3672,626,3711,733,3712,774,3689,842,3695,951,3735,1021,3723,1018,3672,1103,3709,1110,3690,1060,3641,1059,3595,1094,3570,1081,3483,1015,3433,1034,3379,1086,3377,1111,3329,1149,3314,1266,3279,1308,3288,1392,3271,1524,3227,1571,3138,1661,3118,1802,3076,1909,3027,1958,3053,2005,3099,1982,3175,2013,3224,2085,3271,2154,3284,2289,3264,2324,3219,2361,3219,2393,3202,2492,3190,2517,3157,2649,3159,2746,3132,2845,3103,2891,3087,2968,3119,3009,3147,3098,3156,3169,3143,3196,3093,3219,3126,3299,3102,3377,3097,3427,3122,3455,3155,3449,3161,3475,3207,3495,3283,3510,3308,3513,3309,3548,3391,3598,3461,3600,3465,3590,3541,3615,3582,3578,3628,3616,3665,3555,3656,3471,3680,3403,3622,3251,3611,3170,3664,3062,3668,3039,3626,2970,3614,2873,3668,2764,3666,2705,3765,2632,3821,2680,3899,2617,3946,2728,4042,2882,4046,2924,4122,3115,4109,3235,4174,3351,4202,3517,4204,3691,4134,3835,4095,3951,4110,4037,4101,4155,4154,4170,4196,4145,4264,4088,4301,4032,4313,3995,4344,3868,4428,3754,4466,3668,4524,3740,4541,3823,4624,3767,4664,3915,4705,3912,4726,3822,4710,3742,4702,3676,4670,3582,4665,3496,4627,3502,4565,3551,4541,3653,4547,3633,4511,3524,4494,3388,4436,3333,4457,3355,4503,3245,4533,3263,4552,3359,4585,3330,4608,3174,4633,3167,4671,3075,4658,3038,4603,2960,4529,2963,4504,2914,4482,2884,4491,2856,4371,2804,4329,2768,4258,2800,4201,2811,4162,2899,4130,2881,4106,2762,4100,2719,4069,2636,4015,2604,4062,2606,4082,2545,4085,2492,4095,2372,4069,2441,4012,2390,3996,2334,3996,2282,4048,2263,4026,2285,3966,2335,3919,2297,3897,2353,3851,2402,3822,2404,3765,2311,3792,2341,3741,2278,3730,2315,3642,2249,3641,2167,3685,2130,3764,2112,3831,2073,3877,2022,3934,2015,3963,1998,3969,1996,3991,1941,4025,1932,4073,1940,4141,1954,4172,1937,4188,1916,4196,1888,4228,1845,4248,1751,4285,1693,4321,1601,4351,1518,4424,1538,4432,1492,4474,1490,4508,1426,4523,1395,4480,1366,4514,1368,4548,1371,4550,1394,4559,1314,4574,1233,4538,1238,4489,1226,4460,1259,4409,1353,4359,1403,4276,1514,4196,1592,4196,1617,4174,1589,4154,1679,4118,1752,4088,1838,4036,1848,4017,1829,3981,1774,4028,1687,4044,1645,3980,1717,3943,1705,3890,1663,3884,1610,3799,1568,3791,1569,3822,1589,3875,1611,3896,1572,3954,1541,4005,1500,4017,1470,4061,1406,4079,1363,4119,1289,4125,1211,4171,1119,4236,1051,4293,1020,4392,970,4404,889,4437,843,4423,785,4377,744,4369,653,4313,456,4340,310,4307,299,4247,304,4189,209,4123,81,4101,72,4068,11,4012,-28,3931,11,3874,-47,3829,-68,3764,-144,3744,-215,3667,-341,3666,-437,3668,-500,3632,-538,3595,-587,3603,-624,3637,-652,3694,-745,3710,-786,3684,-838,3698,-890,3687,-875,3765,-884,3827,-929,3836,-953,3874,-945,3939,-905,3976,-898,4016,-877,4076,-879,4118,-899,4154,-903,4188,-898,4259,-939,4303,-798,4375,-676,4357,-541,4357,-435,4340,-352,4346,-190,4342,-138,4402,-119,4601,-223,4706,-296,4757,-449,4796,-459,4868,-330,4890,-162,4864,-194,4978,-99,4935,134,5013,164,5095,251,5115,331,5135,383,5162,471,5309,608,5351,691,5348,710,5369,794,5375,812,5353,880,5402,857,5440,853,5496,812,5552,809,5654,826,5681,854,5711,942,5717,978,5745,1058,5773,1055,5722,1025,5689,1037,5661,1091,5646,1067,5608,1037,5619,965,5547,992,5498,994,5460,1095,5436,1094,5401,1196,5420,1252,5447,1365,5408,1412,5376,1480,5405,1636,5451,1762,5485,1862,5468,1870,5444,1966,5443,1989,5487,2127,5519,2105,5603,2109,5678,2158,5741,2252,5775,2332,5701,2412,5703,2431,5779,2443,5838,2406,5826,2343,5861,2334,5919,2460,5947,2586,5961,2695,5945,2798,5948,2912,6003,2807,6050,2626,6042,2450,6006,2287,5985,2229,6039,2132,6072,2154,6170,2106,6261,2154,6319,2244,6382,2473,6490,2540,6511,2530,6553,2390,6601,2218,6572,2121,6503,2137,6441,1978,6361,1785,6275,1712,6134,1783,6064,1879,6008,1787,5895,1683,5872,1645,5704,1588,5610,1467,5620,1410,5541,1294,5536,1262,5631,1179,5744,1103,5886,1036,5947,838,5831,705,5808,566,5859,531,5966,499,6197,591,6262,855,6345,1053,6449,1236,6588,1476,6781,1644,6856,1918,6982,2138,7026,2302,7020,2455,7103,2637,7099,2816,7119,3129,7045,3e3,7019,3110,6956,3213,6991,3377,6930,3651,6906,4029,6793,4106,6746,4113,6679,4002,6627,3838,6600,3392,6676,3318,6663,3481,6590,3494,6441,3623,6411,3701,6385,3714,6433,3652,6478,3718,6514,3959,6452,4044,6476,3976,6550,4209,6648,4302,6642,4395,6607,4453,6676,4370,6735,4419,6795,4345,6857,4625,6825,4682,6769,4556,6757,4556,6701,4635,6667,4789,6688,4814,6752,5023,6800,5372,6886,5447,6881,5349,6820,5473,6810,5544,6844,5732,6847,5880,6888,5994,6828,6108,6894,6003,6952,6055,6985,6350,6955,6489,6923,6851,6809,6918,6862,6816,6914,6814,6936,6693,6945,6726,6993,6672,7071,6670,7103,6854,7193,6919,7284,6994,7304,7259,7278,7279,7222,7185,7141,7247,7109,7279,7039,7256,6902,7367,6841,7324,6774,7128,6632,7242,6617,7282,6653,7392,6679,7419,6728,7505,6776,7447,6833,7494,6899,7384,6907,7360,6963,7440,7063,7310,7145,7489,7212,7466,7283,7516,7286,7568,7230,7529,7134,7636,7115,7590,7187,7758,7227,7965,7232,8150,7175,8061,7258,8051,7365,8225,7385,8466,7381,8682,7394,8601,7446,8717,7512,8831,7514,9026,7564,9290,7577,9324,7605,9586,7614,9668,7592,9892,7645,10076,7643,10104,7686,10199,7729,10435,7770,10607,7737,10471,7713,10697,7697,10724,7648,10815,7672,11108,7671,11333,7622,11413,7585,11389,7533,11278,7503,11015,7448,10940,7418,11064,7404,11212,7379,11302,7398,11353,7334,11397,7359,11557,7375,11878,7359,11902,7312,12320,7297,12326,7374,12538,7356,12698,7357,12859,7304,12905,7240,12846,7198,12971,7119,13129,7079,13225,7184,13386,7139,13556,7166,13750,7135,13823,7163,13987,7149,13915,7242,14047,7285,14950,7220,15035,7161,15297,7084,15701,7103,15900,7087,15983,7045,15971,6972,16094,6944,16228,6964,16405,6967,16594,6947,16784,6958,16958,6869,17082,6901,17001,6965,17045,7010,17364,6982,17572,6988,17860,6940],[-9384,7752,-9429,7749,-9617,7756,-9644,7783,-9442,7782,-9372,7763,-9384,7752],[-11019,7770,-11205,7741,-11353,7773,-11273,7805,-11126,7815,-10985,7800,-11019,7770],[2472,7785,2249,7745,2073,7768,2141,7793,2081,7825,2288,7846,2328,7808,2472,7785],[-10966,7860,-11088,7841,-11254,7841,-11252,7855,-11150,7885,-11096,7880,-10966,7860],[-9583,7806,-9731,7785,-9812,7808,-9855,7846,-9863,7887,-9734,7883,-9675,7877,-9556,7842,-9583,7806],[-10006,7833,-9967,7791,-10130,7802,-10295,7834,-10518,7838,-10421,7868,-10542,7892,-10549,7930,-10353,7916,-10082,7880,-10006,7833],[10508,7831,9944,7792,10126,7923,10209,7935,10284,7928,10537,7871,10508,7831],[1825,7970,2154,7896,1903,7856,1847,7783,1760,7764,1712,7681,1591,7677,1376,7738,1467,7774,1317,7802,1122,7887,1045,7965,1317,8001,1372,7966,1514,7967,1552,8002,1699,8005,1825,7970],[2545,8041,2741,8006,2593,7952,2302,7940,2008,7957,1990,7984,1846,7986,1737,8032,2046,8060,2191,8036,2292,8066,2545,8041],[5114,8055,4979,8042,4889,8034,4875,8018,4759,8001,4650,8025,4707,8056,4485,8059,4680,8077,4832,8078,4852,8051,4910,8075,5004,8092,5152,8070,5114,8055],[9994,7888,9776,7876,9497,7904,9331,7943,9254,8014,9118,8034,9378,8103,9594,8125,9788,8075,10019,7978,9994,7888],[-8702,7966,-8582,7934,-8719,7904,-8903,7829,-9081,7822,-9288,7834,-9395,7875,-9394,7911,-9315,7938,-9497,7937,-9608,7970,-9671,8016,-9601,8060,-9532,8091,-9430,8098,-9474,8121,-9241,8126,-9113,8072,-8945,8051,-8781,8032,-8702,7966],[-6850,8311,-6583,8303,-6368,8290,-6185,8263,-6189,8236,-6433,8193,-6675,8173,-6766,8150,-6548,8151,-6784,8090,-6947,8062,-7118,7980,-7324,7963,-7388,7943,-7691,7932,-7553,7920,-7622,7902,-7539,7853,-7634,7818,-7789,7790,-7836,7751,-7976,7721,-7962,7698,-7791,7702,-7789,7678,-8056,7618,-8317,7645,-8611,7630,-8760,7642,-8949,7647,-8962,7695,-8777,7718,-8826,7790,-8765,7797,-8498,7754,-8634,7818,-8796,7837,-8715,7876,-8538,7900,-8510,7935,-8651,7974,-8693,8025,-8420,8021,-8341,8010,-8185,8046,-8410,8058,-8760,8052,-8937,8086,-9020,8126,-9137,8155,-9159,8190,-9010,8208,-8893,8212,-8697,8228,-8550,8265,-8426,8260,-8318,8232,-8242,8286,-8110,8302,-7931,8313,-7625,8317,-7572,8306,-7283,8323,-7067,8317,-6850,8311],[-2710,8352,-2085,8273,-2269,8234,-2652,8230,-3190,8220,-3140,8202,-2786,8213,-2485,8179,-2290,8209,-2207,8173,-2317,8115,-2062,8152,-1577,8191,-1277,8172,-1221,8129,-1628,8058,-1685,8035,-2005,8018,-1773,8013,-1890,7940,-1970,7875,-1967,7764,-1847,7698,-2004,7694,-2168,7663,-1983,7610,-1960,7525,-2067,7516,-1937,7430,-2159,7422,-2044,7382,-2076,7346,-2217,7331,-2357,7331,-2231,7263,-2230,7218,-2428,7260,-2479,7233,-2344,7208,-2213,7147,-2175,7066,-2354,7047,-2431,7086,-2554,7143,-2520,7075,-2636,7023,-2373,7018,-2235,7013,-2503,6926,-2775,6847,-3067,6812,-3178,6812,-3281,6774,-3420,6668,-3635,6598,-3704,6594,-3837,6569,-3981,6546,-4067,6484,-4068,6414,-4119,6348,-4282,6268,-4242,6190,-4287,6107,-4338,6010,-4479,6004,-4626,6085,-4826,6086,-4923,6141,-4990,6238,-5163,6363,-5214,6428,-5228,6518,-5366,6610,-5330,6684,-5397,6719,-5298,6836,-5148,6873,-5108,6915,-5087,6993,-5202,6957,-5256,6943,-5346,6928,-5468,6961,-5475,7029,-5436,7082,-5343,7084,-5139,7057,-5311,7120,-5401,7155,-5500,7141,-5583,7166,-5472,7259,-5533,7296,-5612,7365,-5733,7471,-5860,7510,-5859,7552,-6127,7610,-6339,7618,-6607,7614,-6850,7606,-6967,7638,-7140,7701,-6878,7732,-6676,7738,-7104,7764,-7330,7804,-7316,7843,-6937,7891,-6571,7940,-6532,7976,-6802,8012,-6715,8052,-6369,8121,-6224,8132,-6265,8177,-6028,8203,-5721,8219,-5414,8220,-5304,8189,-5039,8244,-4800,8206,-4660,8199,-4452,8166,-4690,8220,-4676,8263,-4341,8323,-3990,8318,-3862,8355,-3509,8365,-2710,8352]];function zl(i,e,t){let n=r=>(r/36e3+.5)*e,s=r=>(.5-r/18e3)*t;i.beginPath();for(let r of ud){for(let l=0;l<r.length;l+=2)l===0?i.moveTo(n(r[0]),s(r[1])):i.lineTo(n(r[l]),s(r[l+1]));let[o,a]=[r[0],r[r.length-2]];if(Math.abs(a-o)>18e3){let l=Math.sign(a)*18e3;i.lineTo(n(l),s(r[r.length-1])),i.lineTo(n(l),t),i.lineTo(n(-l),t),i.lineTo(n(-l),s(r[1]))}i.closePath()}i.fill("evenodd")}function*Vl(){for(let i of ud)for(let e=2;e<i.length;e+=2)Math.abs(i[e]-i[e-2])>18e3||(yield[i[e-2]/100,i[e-1]/100,i[e]/100,i[e+1]/100])}var oa=class{constructor(e,t){this.redraw=t;this.canvas.setAttribute("aria-label",e),this.canvas.addEventListener("pointermove",n=>{n.buttons===1&&(this.middle.longitude-=n.movementX/this.perDegree,this.middle.latitude+=n.movementY/this.perDegree,this.settle())}),this.canvas.addEventListener("wheel",n=>{n.preventDefault(),this.zoom(Math.exp(-n.deltaY/600))},{passive:!1})}redraw;canvas=q("canvas",{tabindex:0,role:"img"});context=this.canvas.getContext("2d");ground=q("canvas");frame=null;colours=Zt();dressed="";size={width:1,height:1};ratio=1;middle={longitude:0,latitude:0};scale=1;degrees=new Float32Array(0);show(e){this.frame=e,this.degrees=new Float32Array(e.run.file.nodes.length*2)}resize(e,t){this.size={width:e,height:t},this.ratio=Math.min(devicePixelRatio,2),this.canvas.width=Math.round(e*this.ratio),this.canvas.height=Math.round(t*this.ratio),this.canvas.style.width=`${e}px`,this.canvas.style.height=`${t}px`}lookAt(){this.middle={longitude:0,latitude:0},this.scale=1}turn(e,t){this.middle.longitude+=e*60/this.scale,this.middle.latitude+=t*60/this.scale,this.settle()}zoom(e){this.scale=Math.min(Math.max(this.scale*e,1),12),this.settle()}project(e,t){t.x=this.x(this.degrees[e*2]),t.y=this.y(this.degrees[e*2+1]),t.hidden=!(t.x>=0&&t.y>=0&&t.x<=this.size.width&&t.y<=this.size.height)}dispose(){}draw(e){let{frame:t,context:n}=this;if(!t)return;this.dress(e.theme),this.locate(t),n.setTransform(this.ratio,0,0,this.ratio,0,0),n.fillStyle=this.colours.space,n.fillRect(0,0,this.size.width,this.size.height);let[s,r]=[this.x(-180),this.y(90)];n.drawImage(this.ground,s,r,this.x(180)-s,this.y(-90)-r),this.coast(),this.night(t,e.time),this.links(t),this.dots(t),this.paths(t,e)}dress(e){let t=Zt(),n=JSON.stringify([e,t]);if(n===this.dressed)return;this.dressed=n,this.colours=t,[this.ground.width,this.ground.height]=[2048,1024];let s=this.ground.getContext("2d");s.fillStyle=t.ocean,s.fillRect(0,0,2048,1024),s.fillStyle=t.land,zl(s,2048,1024)}locate({xyz:e}){for(let t=0;t<e.length/3;t++){let{latitude_deg:n,longitude_deg:s}=Hr(e[t*3],e[t*3+1],e[t*3+2]);this.degrees[t*2]=s,this.degrees[t*2+1]=n}}coast(){let{context:e}=this;e.beginPath();for(let[t,n,s,r]of Vl())e.moveTo(this.x(t),this.y(n)),e.lineTo(this.x(s),this.y(r));e.strokeStyle=this.colours.coast,e.lineWidth=.8,e.stroke()}night({run:e},t){if(!e.file.epoch_utc)return;let n=il(new Date(Date.parse(e.file.epoch_utc)+t*1e3)),{context:s}=this,r=n.latitude_deg>=0?-90:90;s.beginPath(),s.moveTo(this.x(-180),this.y(r));for(let o=-180;o<=180;o+=2){let a=(o-n.longitude_deg)*Math.PI/180,l=Math.atan(-Math.cos(a)/Math.tan(n.latitude_deg*Math.PI/180||1e-6));s.lineTo(this.x(o),this.y(l*180/Math.PI))}s.lineTo(this.x(180),this.y(r)),s.fillStyle=this.colours.night,s.globalAlpha=this.colours.dark?.6:.3,s.fill(),s.globalAlpha=1}links(e){let{context:t}=this;t.beginPath();for(let n=0;n<e.ends.length;n+=2)this.join(e.ends[n],e.ends[n+1]);t.strokeStyle=this.colours.link,t.globalAlpha=rl(e.lines.length,.35),t.lineWidth=.7,t.stroke(),t.globalAlpha=1}dots(e){let{context:t}=this,n=e.satellites.length>200?2.6:4.5,s=Math.min(Math.max(this.perDegree*(e.satellites.length>1e3?.75:2),1.2),n*Math.max(1,this.scale/2));t.fillStyle=this.colours.satellite;for(let r of e.satellites)t.fillRect(this.x(this.degrees[r*2])-s/2,this.y(this.degrees[r*2+1])-s/2,s,s);t.fillStyle=this.colours.site;for(let[r,{kind:o}]of e.run.file.nodes.entries())fs(o)&&(t.beginPath(),t.arc(this.x(this.degrees[r*2]),this.y(this.degrees[r*2+1]),3.5,0,7),t.fill())}paths(e,t){let{context:n}=this,{run:s}=e,r=c=>s.place.get(c),o=(c,h,u,d)=>{n.beginPath();for(let f=1;f<c.length;f++)this.join(r(c[f-1]),r(c[f]));n.strokeStyle=h,n.lineWidth=u,n.setLineDash(d),n.stroke(),n.setLineDash([])},a=[...e.ways].sort(([c],[h])=>Number(t.flows.includes(c))-Number(t.flows.includes(h)));for(let[c,{now:h,before:u}]of a){if(u&&c===t.flows[0]&&o(u.nodes,this.colours.muted,1.5,[4,4]),!h)continue;let d=t.flows.includes(c);n.globalAlpha=d?1:.5,o(h.nodes,Ln(s.flow.get(c)?.color_index??0,this.colours.dark),d?6:2.5,[]),n.globalAlpha=1}for(let{line:c,share:h}of e.full)o(Uint32Array.of(c.a,c.b),cr(h),2,[]);for(let{id:c,flow:h}of e.hops(t.flows))n.beginPath(),n.arc(this.x(this.degrees[r(c)*2]),this.y(this.degrees[r(c)*2+1]),5,0,7),n.fillStyle=this.colours.space,n.fill(),n.lineWidth=2.5,n.strokeStyle=Ln(s.flow.get(h)?.color_index??0,this.colours.dark),n.stroke();let l=t.picked?.kind==="line"?s.lineOf.get(t.picked.key):null;l&&o(Uint32Array.of(l.a,l.b),this.colours.ink,3,[])}join(e,t){let{context:n,degrees:s}=this,[r,o]=[s[e*2],s[t*2]],[a,l]=[this.y(s[e*2+1]),this.y(s[t*2+1])],c=Math.abs(o-r)>180?Math.sign(r-o)*360:0;n.moveTo(this.x(r),a),n.lineTo(this.x(o+c),l),c!==0&&(n.moveTo(this.x(r-c),a),n.lineTo(this.x(o),l))}settle(){let e=90-this.size.height/this.perDegree/2;this.middle.latitude=e>0?Math.min(Math.max(this.middle.latitude,-e),e):0;let t=180-this.size.width/this.perDegree/2;this.middle.longitude=t>0?Math.min(Math.max(xu(this.middle.longitude),-t),t):0,this.redraw()}get perDegree(){return Math.min(this.size.width/360,this.size.height/180)*this.scale}x(e){return this.size.width/2+(e-this.middle.longitude)*this.perDegree}y(e){return this.size.height/2-(e-this.middle.latitude)*this.perDegree}};var Js={LEFT:0,MIDDLE:1,RIGHT:2,ROTATE:0,DOLLY:1,PAN:2},js={ROTATE:0,PAN:1,DOLLY_PAN:2,DOLLY_ROTATE:3},N0=0,zd=1,F0=2;var Oa=1,U0=2,Po=3,Qs=0,ei=1,ns=2,wr=0,Io=1,Vd=2,Gd=3,Hd=4,O0=5;var Er=100,k0=101,B0=102,z0=103,V0=104,G0=200,H0=201,W0=202,X0=203,Wd=204,Xd=205,q0=206,$0=207,Y0=208,Z0=209,K0=210,J0=211,j0=212,Q0=213,e1=214,mc=0,gc=1,_c=2,xo=3,yc=4,xc=5,vc=6,bc=7,qd=0,t1=1,n1=2,is=0,$d=1,Yd=2,Zd=3,Kd=4,Jd=5,jd=6,Qd=7;var ef=300,Tr=301,Lo=302,Jc=303,jc=304,Sc=1e3,es=1001,Mc=1002,Cn=1003,i1=1004;var ka=1005;var jn=1006,Qc=1007;var Ts=1008;var bi=1009,tf=1010,nf=1011,Do=1012,eh=1013,zi=1014,Vi=1015,Gi=1016,th=1017,nh=1018,Ar=1020,sf=35902,rf=35899,of=1021,af=1022,Hi=1023,Ms=1026,As=1027,lf=1028,ih=1029,er=1030,sh=1031;var rh=1033,Ba=33776,za=33777,Va=33778,Ga=33779,oh=35840,ah=35841,lh=35842,ch=35843,hh=36196,uh=37492,dh=37496,fh=37488,ph=37489,Ha=37490,mh=37491,gh=37808,_h=37809,yh=37810,xh=37811,vh=37812,bh=37813,Sh=37814,Mh=37815,wh=37816,Eh=37817,Th=37818,Ah=37819,Rh=37820,Ch=37821,Ph=36492,Ih=36494,Lh=36495,Dh=36283,Nh=36284,Wa=36285,Fh=36286;var ma=2300,wc=2301,fc=2302,Dd=2303,Nd=2400,Fd=2401,Ud=2402;var s1=3200;var cf=0,r1=1,Rs="",mi="srgb",Sr="srgb-linear",ga="linear",Rt="srgb";var pc=7680;var o1=519,a1=512,l1=513,c1=514,hf=515,h1=516,u1=517,uf=518,df=519,ff=35044,Uh=35048;var pf="300 es",Ai=2e3,_a=2001;function d2(i){for(let e=i.length-1;e>=0;--e)if(i[e]>=65535)return!0;return!1}function f2(i){return ArrayBuffer.isView(i)&&!(i instanceof DataView)}function ya(i){return document.createElementNS("http://www.w3.org/1999/xhtml",i)}function d1(){let i=ya("canvas");return i.style.display="block",i}var i0={},vo=null;function xa(...i){let e="THREE."+i.shift();vo?vo("log",e,...i):console.log(e,...i)}function f1(i){let e=i[0];if(typeof e=="string"&&e.startsWith("TSL:")){let t=i[1];t&&t.isStackTrace?i[0]+=" "+t.getLocation():i[1]='Stack trace not available. Enable "THREE.Node.captureStackTrace" to capture stack traces.'}return i}function qe(...i){i=f1(i);let e="THREE."+i.shift();if(vo)vo("warn",e,...i);else{let t=i[0];t&&t.isStackTrace?console.warn(t.getError(e)):console.warn(e,...i)}}function Qe(...i){i=f1(i);let e="THREE."+i.shift();if(vo)vo("error",e,...i);else{let t=i[0];t&&t.isStackTrace?console.error(t.getError(e)):console.error(e,...i)}}function da(...i){let e=i.join(" ");e in i0||(i0[e]=!0,qe(...i))}function p1(i,e,t){return new Promise(function(n,s){function r(){switch(i.clientWaitSync(e,i.SYNC_FLUSH_COMMANDS_BIT,0)){case i.WAIT_FAILED:s();break;case i.TIMEOUT_EXPIRED:setTimeout(r,t);break;default:n()}}setTimeout(r,t)})}var m1={[mc]:mc,[_c]:vc,[yc]:yc,[xo]:xc,[gc]:gc,[vc]:_c,[bc]:bc,[xc]:xo},Bi=class{addEventListener(e,t){this._listeners===void 0&&(this._listeners={});let n=this._listeners;n[e]===void 0&&(n[e]=[]),n[e].indexOf(t)===-1&&n[e].push(t)}hasEventListener(e,t){let n=this._listeners;return n===void 0?!1:n[e]!==void 0&&n[e].indexOf(t)!==-1}removeEventListener(e,t){let n=this._listeners;if(n===void 0)return;let s=n[e];if(s!==void 0){let r=s.indexOf(t);r!==-1&&s.splice(r,1)}}dispatchEvent(e){let t=this._listeners;if(t===void 0)return;let n=t[e.type];if(n!==void 0){e.target=this;let s=n.slice(0);for(let r=0,o=s.length;r<o;r++)s[r].call(this,e);e.target=null}}},Bn=["00","01","02","03","04","05","06","07","08","09","0a","0b","0c","0d","0e","0f","10","11","12","13","14","15","16","17","18","19","1a","1b","1c","1d","1e","1f","20","21","22","23","24","25","26","27","28","29","2a","2b","2c","2d","2e","2f","30","31","32","33","34","35","36","37","38","39","3a","3b","3c","3d","3e","3f","40","41","42","43","44","45","46","47","48","49","4a","4b","4c","4d","4e","4f","50","51","52","53","54","55","56","57","58","59","5a","5b","5c","5d","5e","5f","60","61","62","63","64","65","66","67","68","69","6a","6b","6c","6d","6e","6f","70","71","72","73","74","75","76","77","78","79","7a","7b","7c","7d","7e","7f","80","81","82","83","84","85","86","87","88","89","8a","8b","8c","8d","8e","8f","90","91","92","93","94","95","96","97","98","99","9a","9b","9c","9d","9e","9f","a0","a1","a2","a3","a4","a5","a6","a7","a8","a9","aa","ab","ac","ad","ae","af","b0","b1","b2","b3","b4","b5","b6","b7","b8","b9","ba","bb","bc","bd","be","bf","c0","c1","c2","c3","c4","c5","c6","c7","c8","c9","ca","cb","cc","cd","ce","cf","d0","d1","d2","d3","d4","d5","d6","d7","d8","d9","da","db","dc","dd","de","df","e0","e1","e2","e3","e4","e5","e6","e7","e8","e9","ea","eb","ec","ed","ee","ef","f0","f1","f2","f3","f4","f5","f6","f7","f8","f9","fa","fb","fc","fd","fe","ff"],s0=1234567,fa=Math.PI/180,bo=180/Math.PI;function tr(){let i=Math.random()*4294967295|0,e=Math.random()*4294967295|0,t=Math.random()*4294967295|0,n=Math.random()*4294967295|0;return(Bn[i&255]+Bn[i>>8&255]+Bn[i>>16&255]+Bn[i>>24&255]+"-"+Bn[e&255]+Bn[e>>8&255]+"-"+Bn[e>>16&15|64]+Bn[e>>24&255]+"-"+Bn[t&63|128]+Bn[t>>8&255]+"-"+Bn[t>>16&255]+Bn[t>>24&255]+Bn[n&255]+Bn[n>>8&255]+Bn[n>>16&255]+Bn[n>>24&255]).toLowerCase()}function ot(i,e,t){return Math.max(e,Math.min(t,i))}function mf(i,e){return(i%e+e)%e}function p2(i,e,t,n,s){return n+(i-e)*(s-n)/(t-e)}function m2(i,e,t){return i!==e?(t-i)/(e-i):0}function pa(i,e,t){return(1-t)*i+t*e}function g2(i,e,t,n){return pa(i,e,1-Math.exp(-t*n))}function _2(i,e=1){return e-Math.abs(mf(i,e*2)-e)}function y2(i,e,t){return i<=e?0:i>=t?1:(i=(i-e)/(t-e),i*i*(3-2*i))}function x2(i,e,t){return i<=e?0:i>=t?1:(i=(i-e)/(t-e),i*i*i*(i*(i*6-15)+10))}function v2(i,e){return i+Math.floor(Math.random()*(e-i+1))}function b2(i,e){return i+Math.random()*(e-i)}function S2(i){return i*(.5-Math.random())}function M2(i){i!==void 0&&(s0=i);let e=s0+=1831565813;return e=Math.imul(e^e>>>15,e|1),e^=e+Math.imul(e^e>>>7,e|61),((e^e>>>14)>>>0)/4294967296}function w2(i){return i*fa}function E2(i){return i*bo}function T2(i){return i>0&&Number.isInteger(i)&&2**Math.round(Math.log2(i))===i}function A2(i){return Math.pow(2,Math.ceil(Math.log(i)/Math.LN2))}function gf(i){return Math.pow(2,Math.floor(Math.log(i)/Math.LN2))}function R2(i,e,t,n,s){let r=Math.cos,o=Math.sin,a=r(t/2),l=o(t/2),c=r((e+n)/2),h=o((e+n)/2),u=r((e-n)/2),d=o((e-n)/2),f=r((n-e)/2),m=o((n-e)/2);switch(s){case"XYX":i.set(a*h,l*u,l*d,a*c);break;case"YZY":i.set(l*d,a*h,l*u,a*c);break;case"ZXZ":i.set(l*u,l*d,a*h,a*c);break;case"XZX":i.set(a*h,l*m,l*f,a*c);break;case"YXY":i.set(l*f,a*h,l*m,a*c);break;case"ZYZ":i.set(l*m,l*f,a*h,a*c);break;default:qe("MathUtils: .setQuaternionFromProperEuler() encountered an unknown order: "+s)}}function Oh(i){switch(i.constructor){case Uint32Array:return 4294967295;case Uint16Array:return 65535;case Uint8Array:case Uint8ClampedArray:return 255;case Int32Array:return 2147483647;case Int16Array:return 32767;case Int8Array:return 127;default:return}}function _f(i,e){if(e.constructor===Float32Array)return i;let t=Oh(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.max(i/t,-1)}function yf(i,e){if(e.constructor===Float32Array)return i;let t=Oh(e);if(t===void 0)throw new Error("THREE.MathUtils: Invalid component type.");return Math.round(i*t)}var Xa={DEG2RAD:fa,RAD2DEG:bo,generateUUID:tr,clamp:ot,euclideanModulo:mf,mapLinear:p2,inverseLerp:m2,lerp:pa,damp:g2,pingpong:_2,smoothstep:y2,smootherstep:x2,randInt:v2,randFloat:b2,randFloatSpread:S2,seededRandom:M2,degToRad:w2,radToDeg:E2,isPowerOfTwo:T2,ceilPowerOfTwo:A2,floorPowerOfTwo:gf,setQuaternionFromProperEuler:R2,normalize:yf,denormalize:_f},et=class{static{this.prototype.isVector2=!0}constructor(e=0,t=0){this.x=e,this.y=t}get width(){return this.x}set width(e){this.x=e}get height(){return this.y}set height(e){this.y=e}set(e,t){return this.x=e,this.y=t,this}setScalar(e){return this.x=e,this.y=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;default:throw new Error("THREE.Vector2: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;default:throw new Error("THREE.Vector2: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y)}copy(e){return this.x=e.x,this.y=e.y,this}add(e){return this.x+=e.x,this.y+=e.y,this}addScalar(e){return this.x+=e,this.y+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this}subScalar(e){return this.x-=e,this.y-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this}multiply(e){return this.x*=e.x,this.y*=e.y,this}multiplyScalar(e){return this.x*=e,this.y*=e,this}divide(e){return this.x/=e.x,this.y/=e.y,this}divideScalar(e){return this.multiplyScalar(1/e)}applyMatrix3(e){let t=this.x,n=this.y,s=e.elements;return this.x=s[0]*t+s[3]*n+s[6],this.y=s[1]*t+s[4]*n+s[7],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this}clamp(e,t){return this.x=ot(this.x,e.x,t.x),this.y=ot(this.y,e.y,t.y),this}clampScalar(e,t){return this.x=ot(this.x,e,t),this.y=ot(this.y,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(ot(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this}negate(){return this.x=-this.x,this.y=-this.y,this}dot(e){return this.x*e.x+this.y*e.y}cross(e){return this.x*e.y-this.y*e.x}lengthSq(){return this.x*this.x+this.y*this.y}length(){return Math.sqrt(this.x*this.x+this.y*this.y)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)}normalize(){return this.divideScalar(this.length()||1)}angle(){return Math.atan2(-this.y,-this.x)+Math.PI}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(ot(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y;return t*t+n*n}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this}equals(e){return e.x===this.x&&e.y===this.y}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this}rotateAround(e,t){let n=Math.cos(t),s=Math.sin(t),r=this.x-e.x,o=this.y-e.y;return this.x=r*n-o*s+e.x,this.y=r*s+o*n+e.y,this}random(){return this.x=Math.random(),this.y=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y}},_i=class{constructor(e=0,t=0,n=0,s=1){this.isQuaternion=!0,this._x=e,this._y=t,this._z=n,this._w=s}static slerpFlat(e,t,n,s,r,o,a){let l=n[s+0],c=n[s+1],h=n[s+2],u=n[s+3],d=r[o+0],f=r[o+1],m=r[o+2],x=r[o+3];if(u!==x||l!==d||c!==f||h!==m){let g=l*d+c*f+h*m+u*x;g<0&&(d=-d,f=-f,m=-m,x=-x,g=-g);let p=1-a;if(g<.9995){let b=Math.acos(g),A=Math.sin(b);p=Math.sin(p*b)/A,a=Math.sin(a*b)/A,l=l*p+d*a,c=c*p+f*a,h=h*p+m*a,u=u*p+x*a}else{l=l*p+d*a,c=c*p+f*a,h=h*p+m*a,u=u*p+x*a;let b=1/Math.sqrt(l*l+c*c+h*h+u*u);l*=b,c*=b,h*=b,u*=b}}e[t]=l,e[t+1]=c,e[t+2]=h,e[t+3]=u}static multiplyQuaternionsFlat(e,t,n,s,r,o){let a=n[s],l=n[s+1],c=n[s+2],h=n[s+3],u=r[o],d=r[o+1],f=r[o+2],m=r[o+3];return e[t]=a*m+h*u+l*f-c*d,e[t+1]=l*m+h*d+c*u-a*f,e[t+2]=c*m+h*f+a*d-l*u,e[t+3]=h*m-a*u-l*d-c*f,e}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get w(){return this._w}set w(e){this._w=e,this._onChangeCallback()}set(e,t,n,s){return this._x=e,this._y=t,this._z=n,this._w=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._w)}copy(e){return this._x=e.x,this._y=e.y,this._z=e.z,this._w=e.w,this._onChangeCallback(),this}setFromEuler(e,t=!0){let n=e._x,s=e._y,r=e._z,o=e._order,a=Math.cos,l=Math.sin,c=a(n/2),h=a(s/2),u=a(r/2),d=l(n/2),f=l(s/2),m=l(r/2);switch(o){case"XYZ":this._x=d*h*u+c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u-d*f*m;break;case"YXZ":this._x=d*h*u+c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u+d*f*m;break;case"ZXY":this._x=d*h*u-c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u-d*f*m;break;case"ZYX":this._x=d*h*u-c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u+d*f*m;break;case"YZX":this._x=d*h*u+c*f*m,this._y=c*f*u+d*h*m,this._z=c*h*m-d*f*u,this._w=c*h*u-d*f*m;break;case"XZY":this._x=d*h*u-c*f*m,this._y=c*f*u-d*h*m,this._z=c*h*m+d*f*u,this._w=c*h*u+d*f*m;break;default:qe("Quaternion: .setFromEuler() encountered an unknown order: "+o)}return t===!0&&this._onChangeCallback(),this}setFromAxisAngle(e,t){let n=t/2,s=Math.sin(n);return this._x=e.x*s,this._y=e.y*s,this._z=e.z*s,this._w=Math.cos(n),this._onChangeCallback(),this}setFromRotationMatrix(e){let t=e.elements,n=t[0],s=t[4],r=t[8],o=t[1],a=t[5],l=t[9],c=t[2],h=t[6],u=t[10],d=n+a+u;if(d>0){let f=.5/Math.sqrt(d+1);this._w=.25/f,this._x=(h-l)*f,this._y=(r-c)*f,this._z=(o-s)*f}else if(n>a&&n>u){let f=2*Math.sqrt(1+n-a-u);this._w=(h-l)/f,this._x=.25*f,this._y=(s+o)/f,this._z=(r+c)/f}else if(a>u){let f=2*Math.sqrt(1+a-n-u);this._w=(r-c)/f,this._x=(s+o)/f,this._y=.25*f,this._z=(l+h)/f}else{let f=2*Math.sqrt(1+u-n-a);this._w=(o-s)/f,this._x=(r+c)/f,this._y=(l+h)/f,this._z=.25*f}return this._onChangeCallback(),this}setFromUnitVectors(e,t){let n=e.dot(t)+1;return n<1e-8?(n=0,Math.abs(e.x)>Math.abs(e.z)?(this._x=-e.y,this._y=e.x,this._z=0,this._w=n):(this._x=0,this._y=-e.z,this._z=e.y,this._w=n)):(this._x=e.y*t.z-e.z*t.y,this._y=e.z*t.x-e.x*t.z,this._z=e.x*t.y-e.y*t.x,this._w=n),this.normalize()}angleTo(e){return 2*Math.acos(Math.abs(ot(this.dot(e),-1,1)))}rotateTowards(e,t){let n=this.angleTo(e);if(n===0)return this;let s=Math.min(1,t/n);return this.slerp(e,s),this}identity(){return this.set(0,0,0,1)}invert(){return this.conjugate()}conjugate(){return this._x*=-1,this._y*=-1,this._z*=-1,this._onChangeCallback(),this}dot(e){return this._x*e._x+this._y*e._y+this._z*e._z+this._w*e._w}lengthSq(){return this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w}length(){return Math.sqrt(this._x*this._x+this._y*this._y+this._z*this._z+this._w*this._w)}normalize(){let e=this.length();return e===0?(this._x=0,this._y=0,this._z=0,this._w=1):(e=1/e,this._x=this._x*e,this._y=this._y*e,this._z=this._z*e,this._w=this._w*e),this._onChangeCallback(),this}multiply(e){return this.multiplyQuaternions(this,e)}premultiply(e){return this.multiplyQuaternions(e,this)}multiplyQuaternions(e,t){let n=e._x,s=e._y,r=e._z,o=e._w,a=t._x,l=t._y,c=t._z,h=t._w;return this._x=n*h+o*a+s*c-r*l,this._y=s*h+o*l+r*a-n*c,this._z=r*h+o*c+n*l-s*a,this._w=o*h-n*a-s*l-r*c,this._onChangeCallback(),this}slerp(e,t){let n=e._x,s=e._y,r=e._z,o=e._w,a=this.dot(e);a<0&&(n=-n,s=-s,r=-r,o=-o,a=-a);let l=1-t;if(a<.9995){let c=Math.acos(a),h=Math.sin(c);l=Math.sin(l*c)/h,t=Math.sin(t*c)/h,this._x=this._x*l+n*t,this._y=this._y*l+s*t,this._z=this._z*l+r*t,this._w=this._w*l+o*t,this._onChangeCallback()}else this._x=this._x*l+n*t,this._y=this._y*l+s*t,this._z=this._z*l+r*t,this._w=this._w*l+o*t,this.normalize();return this}slerpQuaternions(e,t,n){return this.copy(e).slerp(t,n)}random(){let e=2*Math.PI*Math.random(),t=2*Math.PI*Math.random(),n=Math.random(),s=Math.sqrt(1-n),r=Math.sqrt(n);return this.set(s*Math.sin(e),s*Math.cos(e),r*Math.sin(t),r*Math.cos(t))}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._w===this._w}fromArray(e,t=0){return this._x=e[t],this._y=e[t+1],this._z=e[t+2],this._w=e[t+3],this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._w,e}fromBufferAttribute(e,t){return this._x=e.getX(t),this._y=e.getY(t),this._z=e.getZ(t),this._w=e.getW(t),this._onChangeCallback(),this}toJSON(){return this.toArray()}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._w}},V=class{static{this.prototype.isVector3=!0}constructor(e=0,t=0,n=0){this.x=e,this.y=t,this.z=n}set(e,t,n){return n===void 0&&(n=this.z),this.x=e,this.y=t,this.z=n,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;default:throw new Error("THREE.Vector3: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;default:throw new Error("THREE.Vector3: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this}multiplyVectors(e,t){return this.x=e.x*t.x,this.y=e.y*t.y,this.z=e.z*t.z,this}applyEuler(e){return this.applyQuaternion(r0.setFromEuler(e))}applyAxisAngle(e,t){return this.applyQuaternion(r0.setFromAxisAngle(e,t))}applyMatrix3(e){let t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[3]*n+r[6]*s,this.y=r[1]*t+r[4]*n+r[7]*s,this.z=r[2]*t+r[5]*n+r[8]*s,this}applyNormalMatrix(e){return this.applyMatrix3(e).normalize()}applyMatrix4(e){let t=this.x,n=this.y,s=this.z,r=e.elements,o=1/(r[3]*t+r[7]*n+r[11]*s+r[15]);return this.x=(r[0]*t+r[4]*n+r[8]*s+r[12])*o,this.y=(r[1]*t+r[5]*n+r[9]*s+r[13])*o,this.z=(r[2]*t+r[6]*n+r[10]*s+r[14])*o,this}applyQuaternion(e){let t=this.x,n=this.y,s=this.z,r=e.x,o=e.y,a=e.z,l=e.w,c=2*(o*s-a*n),h=2*(a*t-r*s),u=2*(r*n-o*t);return this.x=t+l*c+o*u-a*h,this.y=n+l*h+a*c-r*u,this.z=s+l*u+r*h-o*c,this}project(e){return this.applyMatrix4(e.matrixWorldInverse).applyMatrix4(e.projectionMatrix)}unproject(e){return this.applyMatrix4(e.projectionMatrixInverse).applyMatrix4(e.matrixWorld)}transformDirection(e){let t=this.x,n=this.y,s=this.z,r=e.elements;return this.x=r[0]*t+r[4]*n+r[8]*s,this.y=r[1]*t+r[5]*n+r[9]*s,this.z=r[2]*t+r[6]*n+r[10]*s,this.normalize()}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this}divideScalar(e){return this.multiplyScalar(1/e)}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this}clamp(e,t){return this.x=ot(this.x,e.x,t.x),this.y=ot(this.y,e.y,t.y),this.z=ot(this.z,e.z,t.z),this}clampScalar(e,t){return this.x=ot(this.x,e,t),this.y=ot(this.y,e,t),this.z=ot(this.z,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(ot(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this}cross(e){return this.crossVectors(this,e)}crossVectors(e,t){let n=e.x,s=e.y,r=e.z,o=t.x,a=t.y,l=t.z;return this.x=s*l-r*a,this.y=r*o-n*l,this.z=n*a-s*o,this}projectOnVector(e){let t=e.lengthSq();if(t===0)return this.set(0,0,0);let n=e.dot(this)/t;return this.copy(e).multiplyScalar(n)}projectOnPlane(e){return dd.copy(this).projectOnVector(e),this.sub(dd)}reflect(e){return this.sub(dd.copy(e).multiplyScalar(2*this.dot(e)))}angleTo(e){let t=Math.sqrt(this.lengthSq()*e.lengthSq());if(t===0)return Math.PI/2;let n=this.dot(e)/t;return Math.acos(ot(n,-1,1))}distanceTo(e){return Math.sqrt(this.distanceToSquared(e))}distanceToSquared(e){let t=this.x-e.x,n=this.y-e.y,s=this.z-e.z;return t*t+n*n+s*s}manhattanDistanceTo(e){return Math.abs(this.x-e.x)+Math.abs(this.y-e.y)+Math.abs(this.z-e.z)}setFromSpherical(e){return this.setFromSphericalCoords(e.radius,e.phi,e.theta)}setFromSphericalCoords(e,t,n){let s=Math.sin(t)*e;return this.x=s*Math.sin(n),this.y=Math.cos(t)*e,this.z=s*Math.cos(n),this}setFromCylindrical(e){return this.setFromCylindricalCoords(e.radius,e.theta,e.y)}setFromCylindricalCoords(e,t,n){return this.x=e*Math.sin(t),this.y=n,this.z=e*Math.cos(t),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this}setFromMatrixScale(e){let t=this.setFromMatrixColumn(e,0).length(),n=this.setFromMatrixColumn(e,1).length(),s=this.setFromMatrixColumn(e,2).length();return this.x=t,this.y=n,this.z=s,this}setFromMatrixColumn(e,t){return this.fromArray(e.elements,t*4)}setFromMatrix3Column(e,t){return this.fromArray(e.elements,t*3)}setFromEuler(e){return this.x=e._x,this.y=e._y,this.z=e._z,this}setFromColor(e){return this.x=e.r,this.y=e.g,this.z=e.b,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this}randomDirection(){let e=Math.random()*Math.PI*2,t=Math.random()*2-1,n=Math.sqrt(1-t*t);return this.x=n*Math.cos(e),this.y=t,this.z=n*Math.sin(e),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z}},dd=new V,r0=new _i,tt=class{static{this.prototype.isMatrix3=!0}constructor(e,t,n,s,r,o,a,l,c){this.elements=[1,0,0,0,1,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,o,a,l,c)}set(e,t,n,s,r,o,a,l,c){let h=this.elements;return h[0]=e,h[1]=s,h[2]=a,h[3]=t,h[4]=r,h[5]=l,h[6]=n,h[7]=o,h[8]=c,this}identity(){return this.set(1,0,0,0,1,0,0,0,1),this}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],this}extractBasis(e,t,n){return e.setFromMatrix3Column(this,0),t.setFromMatrix3Column(this,1),n.setFromMatrix3Column(this,2),this}setFromMatrix4(e){let t=e.elements;return this.set(t[0],t[4],t[8],t[1],t[5],t[9],t[2],t[6],t[10]),this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,s=t.elements,r=this.elements,o=n[0],a=n[3],l=n[6],c=n[1],h=n[4],u=n[7],d=n[2],f=n[5],m=n[8],x=s[0],g=s[3],p=s[6],b=s[1],A=s[4],w=s[7],P=s[2],T=s[5],y=s[8];return r[0]=o*x+a*b+l*P,r[3]=o*g+a*A+l*T,r[6]=o*p+a*w+l*y,r[1]=c*x+h*b+u*P,r[4]=c*g+h*A+u*T,r[7]=c*p+h*w+u*y,r[2]=d*x+f*b+m*P,r[5]=d*g+f*A+m*T,r[8]=d*p+f*w+m*y,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[3]*=e,t[6]*=e,t[1]*=e,t[4]*=e,t[7]*=e,t[2]*=e,t[5]*=e,t[8]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8];return t*o*h-t*a*c-n*r*h+n*a*l+s*r*c-s*o*l}invert(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8],u=h*o-a*c,d=a*l-h*r,f=c*r-o*l,m=t*u+n*d+s*f;if(m===0)return this.set(0,0,0,0,0,0,0,0,0);let x=1/m;return e[0]=u*x,e[1]=(s*c-h*n)*x,e[2]=(a*n-s*o)*x,e[3]=d*x,e[4]=(h*t-s*l)*x,e[5]=(s*r-a*t)*x,e[6]=f*x,e[7]=(n*l-c*t)*x,e[8]=(o*t-n*r)*x,this}transpose(){let e,t=this.elements;return e=t[1],t[1]=t[3],t[3]=e,e=t[2],t[2]=t[6],t[6]=e,e=t[5],t[5]=t[7],t[7]=e,this}getNormalMatrix(e){return this.setFromMatrix4(e).invert().transpose()}transposeIntoArray(e){let t=this.elements;return e[0]=t[0],e[1]=t[3],e[2]=t[6],e[3]=t[1],e[4]=t[4],e[5]=t[7],e[6]=t[2],e[7]=t[5],e[8]=t[8],this}setUvTransform(e,t,n,s,r,o,a){let l=Math.cos(r),c=Math.sin(r);return this.set(n*l,n*c,-n*(l*o+c*a)+o+e,-s*c,s*l,-s*(-c*o+l*a)+a+t,0,0,1),this}scale(e,t){return da("Matrix3: .scale() is deprecated. Use .makeScale() instead."),this.premultiply(fd.makeScale(e,t)),this}rotate(e){return da("Matrix3: .rotate() is deprecated. Use .makeRotation() instead."),this.premultiply(fd.makeRotation(-e)),this}translate(e,t){return da("Matrix3: .translate() is deprecated. Use .makeTranslation() instead."),this.premultiply(fd.makeTranslation(e,t)),this}makeTranslation(e,t){return e.isVector2?this.set(1,0,e.x,0,1,e.y,0,0,1):this.set(1,0,e,0,1,t,0,0,1),this}makeRotation(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,n,t,0,0,0,1),this}makeScale(e,t){return this.set(e,0,0,0,t,0,0,0,1),this}equals(e){let t=this.elements,n=e.elements;for(let s=0;s<9;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<9;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e}clone(){return new this.constructor().fromArray(this.elements)}},fd=new tt,o0=new tt().set(.4123908,.3575843,.1804808,.212639,.7151687,.0721923,.0193308,.1191948,.9505322),a0=new tt().set(3.2409699,-1.5373832,-.4986108,-.9692436,1.8759675,.0415551,.0556301,-.203977,1.0569715);function C2(){let i={enabled:!0,workingColorSpace:Sr,spaces:{},convert:function(s,r,o){return this.enabled===!1||r===o||!r||!o||(this.spaces[r].transfer===Rt&&(s.r=Ss(s.r),s.g=Ss(s.g),s.b=Ss(s.b)),this.spaces[r].primaries!==this.spaces[o].primaries&&(s.applyMatrix3(this.spaces[r].toXYZ),s.applyMatrix3(this.spaces[o].fromXYZ)),this.spaces[o].transfer===Rt&&(s.r=yo(s.r),s.g=yo(s.g),s.b=yo(s.b))),s},workingToColorSpace:function(s,r){return this.convert(s,this.workingColorSpace,r)},colorSpaceToWorking:function(s,r){return this.convert(s,r,this.workingColorSpace)},getPrimaries:function(s){return this.spaces[s].primaries},getTransfer:function(s){return s===Rs?ga:this.spaces[s].transfer},getToneMappingMode:function(s){return this.spaces[s].outputColorSpaceConfig.toneMappingMode||"standard"},getLuminanceCoefficients:function(s,r=this.workingColorSpace){return s.fromArray(this.spaces[r].luminanceCoefficients)},define:function(s){Object.assign(this.spaces,s)},_getMatrix:function(s,r,o){return s.copy(this.spaces[o].fromXYZ).multiply(this.spaces[r].toXYZ)},_getDrawingBufferColorSpace:function(s){return this.spaces[s].outputColorSpaceConfig.drawingBufferColorSpace},_getUnpackColorSpace:function(s=this.workingColorSpace){return this.spaces[s].workingColorSpaceConfig.unpackColorSpace}},e=[.64,.33,.3,.6,.15,.06],t=[.2126,.7152,.0722],n=[.3127,.329];return i.define({[Sr]:{primaries:e,whitePoint:n,transfer:ga,toXYZ:o0,fromXYZ:a0,luminanceCoefficients:t,workingColorSpaceConfig:{unpackColorSpace:mi},outputColorSpaceConfig:{drawingBufferColorSpace:mi}},[mi]:{primaries:e,whitePoint:n,transfer:Rt,toXYZ:o0,fromXYZ:a0,luminanceCoefficients:t,outputColorSpaceConfig:{drawingBufferColorSpace:mi}}}),i}var pt=C2();function Ss(i){return i<.04045?i*.0773993808:Math.pow(i*.9478672986+.0521327014,2.4)}function yo(i){return i<.0031308?i*12.92:1.055*Math.pow(i,.41666)-.055}var no,Ec=class{static getDataURL(e,t="image/png"){if(/^data:/i.test(e.src)||typeof HTMLCanvasElement>"u")return e.src;let n;if(e instanceof HTMLCanvasElement)n=e;else{no===void 0&&(no=ya("canvas")),no.width=e.width,no.height=e.height;let s=no.getContext("2d");e instanceof ImageData?s.putImageData(e,0,0):s.drawImage(e,0,0,e.width,e.height),n=no}return n.toDataURL(t)}static sRGBToLinear(e){if(typeof HTMLImageElement<"u"&&e instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&e instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&e instanceof ImageBitmap){let t=ya("canvas");t.width=e.width,t.height=e.height;let n=t.getContext("2d");n.drawImage(e,0,0,e.width,e.height);let s=n.getImageData(0,0,e.width,e.height),r=s.data;for(let o=0;o<r.length;o++)r[o]=Ss(r[o]/255)*255;return n.putImageData(s,0,0),t}else if(e.data){let t=e.data.slice(0);for(let n=0;n<t.length;n++)t instanceof Uint8Array||t instanceof Uint8ClampedArray?t[n]=Math.floor(Ss(t[n]/255)*255):t[n]=Ss(t[n]);return{data:t,width:e.width,height:e.height}}else return qe("ImageUtils.sRGBToLinear(): Unsupported image type. No color space conversion applied."),e}},P2=0,So=class{constructor(e=null){this.isTextureSource=!0,Object.defineProperty(this,"id",{value:P2++}),this.uuid=tr(),this.data=e,this.dataReady=!0,this.version=0}getSize(e){let t=this.data;return typeof HTMLVideoElement<"u"&&t instanceof HTMLVideoElement?e.set(t.videoWidth,t.videoHeight,0):typeof VideoFrame<"u"&&t instanceof VideoFrame?e.set(t.displayWidth,t.displayHeight,0):t!==null?e.set(t.width||0,t.height||0,t.depth||0):e.set(0,0,0),e}set needsUpdate(e){e===!0&&this.version++}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.images[this.uuid]!==void 0)return e.images[this.uuid];let n={uuid:this.uuid,url:""},s=this.data;if(s!==null){let r;if(Array.isArray(s)){r=[];for(let o=0,a=s.length;o<a;o++)s[o].isDataTexture?r.push(pd(s[o].image)):r.push(pd(s[o]))}else r=pd(s);n.url=r}return t||(e.images[this.uuid]=n),n}};function pd(i){return typeof HTMLImageElement<"u"&&i instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&i instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&i instanceof ImageBitmap?Ec.getDataURL(i):i.data?{data:Array.from(i.data),width:i.width,height:i.height,type:i.data.constructor.name}:(qe("Texture: Unable to serialize Texture."),{})}var I2=0,md=new V,Qn=class i extends Bi{constructor(e=i.DEFAULT_IMAGE,t=i.DEFAULT_MAPPING,n=es,s=es,r=jn,o=Ts,a=Hi,l=bi,c=i.DEFAULT_ANISOTROPY,h=Rs){super(),this.isTexture=!0,Object.defineProperty(this,"id",{value:I2++}),this.uuid=tr(),this.name="",this.source=new So(e),this.mipmaps=[],this.mapping=t,this.channel=0,this.wrapS=n,this.wrapT=s,this.magFilter=r,this.minFilter=o,this.anisotropy=c,this.format=a,this.internalFormat=null,this.type=l,this.offset=new et(0,0),this.repeat=new et(1,1),this.center=new et(0,0),this.rotation=0,this.matrixAutoUpdate=!0,this.matrix=new tt,this.generateMipmaps=!0,this.mipmapsAutoUpdate=!0,this.premultiplyAlpha=!1,this.flipY=!0,this.unpackAlignment=4,this.colorSpace=h,this.userData={},this.updateRanges=[],this.version=0,this.onUpdate=null,this.renderTarget=null,this.isRenderTargetTexture=!1,this.isArrayTexture=!!(e&&e.depth&&e.depth>1),this.pmremVersion=0,this.isPMREMTexture=!1,this.normalized=!1}get width(){return this.source.getSize(md).x}get height(){return this.source.getSize(md).y}get depth(){return this.source.getSize(md).z}get image(){return this.source.data}set image(e){this.source.data=e}updateMatrix(){this.matrix.setUvTransform(this.offset.x,this.offset.y,this.repeat.x,this.repeat.y,this.rotation,this.center.x,this.center.y)}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}clone(){return new this.constructor().copy(this)}copy(e){return this.name=e.name,this.source=e.source,this.mipmaps=e.mipmaps.slice(0),this.mapping=e.mapping,this.channel=e.channel,this.wrapS=e.wrapS,this.wrapT=e.wrapT,this.magFilter=e.magFilter,this.minFilter=e.minFilter,this.anisotropy=e.anisotropy,this.format=e.format,this.internalFormat=e.internalFormat,this.type=e.type,this.normalized=e.normalized,this.offset.copy(e.offset),this.repeat.copy(e.repeat),this.center.copy(e.center),this.rotation=e.rotation,this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrix.copy(e.matrix),this.generateMipmaps=e.generateMipmaps,this.mipmapsAutoUpdate=e.mipmapsAutoUpdate,this.premultiplyAlpha=e.premultiplyAlpha,this.flipY=e.flipY,this.unpackAlignment=e.unpackAlignment,this.colorSpace=e.colorSpace,this.renderTarget=e.renderTarget,this.isRenderTargetTexture=e.isRenderTargetTexture,this.isPMREMTexture=e.isPMREMTexture,this.isArrayTexture=e.isArrayTexture,this.userData=JSON.parse(JSON.stringify(e.userData)),this.needsUpdate=!0,this}setValues(e){for(let t in e){let n=e[t];if(n===void 0){qe(`Texture.setValues(): parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){qe(`Texture.setValues(): property '${t}' does not exist.`);continue}s&&n&&s.isVector2&&n.isVector2||s&&n&&s.isVector3&&n.isVector3||s&&n&&s.isMatrix3&&n.isMatrix3?s.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e=="string";if(!t&&e.textures[this.uuid]!==void 0)return e.textures[this.uuid];let n={metadata:{version:4.7,type:"Texture",generator:"Texture.toJSON"},uuid:this.uuid,name:this.name,image:this.source.toJSON(e).uuid,mapping:this.mapping,channel:this.channel,repeat:[this.repeat.x,this.repeat.y],offset:[this.offset.x,this.offset.y],center:[this.center.x,this.center.y],rotation:this.rotation,wrap:[this.wrapS,this.wrapT],format:this.format,internalFormat:this.internalFormat,type:this.type,normalized:this.normalized,colorSpace:this.colorSpace,minFilter:this.minFilter,magFilter:this.magFilter,anisotropy:this.anisotropy,flipY:this.flipY,generateMipmaps:this.generateMipmaps,mipmapsAutoUpdate:this.mipmapsAutoUpdate,premultiplyAlpha:this.premultiplyAlpha,unpackAlignment:this.unpackAlignment};return Object.keys(this.userData).length>0&&(n.userData=this.userData),t||(e.textures[this.uuid]=n),n}dispose(){this.dispatchEvent({type:"dispose"})}transformUv(e){if(this.mapping!==ef)return e;if(e.applyMatrix3(this.matrix),e.x<0||e.x>1)switch(this.wrapS){case Sc:e.x=e.x-Math.floor(e.x);break;case es:e.x=e.x<0?0:1;break;case Mc:Math.abs(Math.floor(e.x)%2)===1?e.x=Math.ceil(e.x)-e.x:e.x=e.x-Math.floor(e.x);break}if(e.y<0||e.y>1)switch(this.wrapT){case Sc:e.y=e.y-Math.floor(e.y);break;case es:e.y=e.y<0?0:1;break;case Mc:Math.abs(Math.floor(e.y)%2)===1?e.y=Math.ceil(e.y)-e.y:e.y=e.y-Math.floor(e.y);break}return this.flipY&&(e.y=1-e.y),e}set needsUpdate(e){e===!0&&(this.version++,this.source.needsUpdate=!0)}set needsPMREMUpdate(e){e===!0&&this.pmremVersion++}};Qn.DEFAULT_IMAGE=null;Qn.DEFAULT_MAPPING=ef;Qn.DEFAULT_ANISOTROPY=1;var Lt=class{static{this.prototype.isVector4=!0}constructor(e=0,t=0,n=0,s=1){this.x=e,this.y=t,this.z=n,this.w=s}get width(){return this.z}set width(e){this.z=e}get height(){return this.w}set height(e){this.w=e}set(e,t,n,s){return this.x=e,this.y=t,this.z=n,this.w=s,this}setScalar(e){return this.x=e,this.y=e,this.z=e,this.w=e,this}setX(e){return this.x=e,this}setY(e){return this.y=e,this}setZ(e){return this.z=e,this}setW(e){return this.w=e,this}setComponent(e,t){switch(e){case 0:this.x=t;break;case 1:this.y=t;break;case 2:this.z=t;break;case 3:this.w=t;break;default:throw new Error("THREE.Vector4: index is out of range: "+e)}return this}getComponent(e){switch(e){case 0:return this.x;case 1:return this.y;case 2:return this.z;case 3:return this.w;default:throw new Error("THREE.Vector4: index is out of range: "+e)}}clone(){return new this.constructor(this.x,this.y,this.z,this.w)}copy(e){return this.x=e.x,this.y=e.y,this.z=e.z,this.w=e.w!==void 0?e.w:1,this}add(e){return this.x+=e.x,this.y+=e.y,this.z+=e.z,this.w+=e.w,this}addScalar(e){return this.x+=e,this.y+=e,this.z+=e,this.w+=e,this}addVectors(e,t){return this.x=e.x+t.x,this.y=e.y+t.y,this.z=e.z+t.z,this.w=e.w+t.w,this}addScaledVector(e,t){return this.x+=e.x*t,this.y+=e.y*t,this.z+=e.z*t,this.w+=e.w*t,this}sub(e){return this.x-=e.x,this.y-=e.y,this.z-=e.z,this.w-=e.w,this}subScalar(e){return this.x-=e,this.y-=e,this.z-=e,this.w-=e,this}subVectors(e,t){return this.x=e.x-t.x,this.y=e.y-t.y,this.z=e.z-t.z,this.w=e.w-t.w,this}multiply(e){return this.x*=e.x,this.y*=e.y,this.z*=e.z,this.w*=e.w,this}multiplyScalar(e){return this.x*=e,this.y*=e,this.z*=e,this.w*=e,this}applyMatrix4(e){let t=this.x,n=this.y,s=this.z,r=this.w,o=e.elements;return this.x=o[0]*t+o[4]*n+o[8]*s+o[12]*r,this.y=o[1]*t+o[5]*n+o[9]*s+o[13]*r,this.z=o[2]*t+o[6]*n+o[10]*s+o[14]*r,this.w=o[3]*t+o[7]*n+o[11]*s+o[15]*r,this}divide(e){return this.x/=e.x,this.y/=e.y,this.z/=e.z,this.w/=e.w,this}divideScalar(e){return this.multiplyScalar(1/e)}setAxisAngleFromQuaternion(e){this.w=2*Math.acos(e.w);let t=Math.sqrt(1-e.w*e.w);return t<1e-4?(this.x=1,this.y=0,this.z=0):(this.x=e.x/t,this.y=e.y/t,this.z=e.z/t),this}setAxisAngleFromRotationMatrix(e){let t,n,s,r,l=e.elements,c=l[0],h=l[4],u=l[8],d=l[1],f=l[5],m=l[9],x=l[2],g=l[6],p=l[10];if(Math.abs(h-d)<.01&&Math.abs(u-x)<.01&&Math.abs(m-g)<.01){if(Math.abs(h+d)<.1&&Math.abs(u+x)<.1&&Math.abs(m+g)<.1&&Math.abs(c+f+p-3)<.1)return this.set(1,0,0,0),this;t=Math.PI;let A=(c+1)/2,w=(f+1)/2,P=(p+1)/2,T=(h+d)/4,y=(u+x)/4,E=(m+g)/4;return A>w&&A>P?A<.01?(n=0,s=.707106781,r=.707106781):(n=Math.sqrt(A),s=T/n,r=y/n):w>P?w<.01?(n=.707106781,s=0,r=.707106781):(s=Math.sqrt(w),n=T/s,r=E/s):P<.01?(n=.707106781,s=.707106781,r=0):(r=Math.sqrt(P),n=y/r,s=E/r),this.set(n,s,r,t),this}let b=Math.sqrt((g-m)*(g-m)+(u-x)*(u-x)+(d-h)*(d-h));return Math.abs(b)<.001&&(b=1),this.x=(g-m)/b,this.y=(u-x)/b,this.z=(d-h)/b,this.w=Math.acos((c+f+p-1)/2),this}setFromMatrixPosition(e){let t=e.elements;return this.x=t[12],this.y=t[13],this.z=t[14],this.w=t[15],this}min(e){return this.x=Math.min(this.x,e.x),this.y=Math.min(this.y,e.y),this.z=Math.min(this.z,e.z),this.w=Math.min(this.w,e.w),this}max(e){return this.x=Math.max(this.x,e.x),this.y=Math.max(this.y,e.y),this.z=Math.max(this.z,e.z),this.w=Math.max(this.w,e.w),this}clamp(e,t){return this.x=ot(this.x,e.x,t.x),this.y=ot(this.y,e.y,t.y),this.z=ot(this.z,e.z,t.z),this.w=ot(this.w,e.w,t.w),this}clampScalar(e,t){return this.x=ot(this.x,e,t),this.y=ot(this.y,e,t),this.z=ot(this.z,e,t),this.w=ot(this.w,e,t),this}clampLength(e,t){let n=this.length();return this.divideScalar(n||1).multiplyScalar(ot(n,e,t))}floor(){return this.x=Math.floor(this.x),this.y=Math.floor(this.y),this.z=Math.floor(this.z),this.w=Math.floor(this.w),this}ceil(){return this.x=Math.ceil(this.x),this.y=Math.ceil(this.y),this.z=Math.ceil(this.z),this.w=Math.ceil(this.w),this}round(){return this.x=Math.round(this.x),this.y=Math.round(this.y),this.z=Math.round(this.z),this.w=Math.round(this.w),this}roundToZero(){return this.x=Math.trunc(this.x),this.y=Math.trunc(this.y),this.z=Math.trunc(this.z),this.w=Math.trunc(this.w),this}negate(){return this.x=-this.x,this.y=-this.y,this.z=-this.z,this.w=-this.w,this}dot(e){return this.x*e.x+this.y*e.y+this.z*e.z+this.w*e.w}lengthSq(){return this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w}length(){return Math.sqrt(this.x*this.x+this.y*this.y+this.z*this.z+this.w*this.w)}manhattanLength(){return Math.abs(this.x)+Math.abs(this.y)+Math.abs(this.z)+Math.abs(this.w)}normalize(){return this.divideScalar(this.length()||1)}setLength(e){return this.normalize().multiplyScalar(e)}lerp(e,t){return this.x+=(e.x-this.x)*t,this.y+=(e.y-this.y)*t,this.z+=(e.z-this.z)*t,this.w+=(e.w-this.w)*t,this}lerpVectors(e,t,n){return this.x=e.x+(t.x-e.x)*n,this.y=e.y+(t.y-e.y)*n,this.z=e.z+(t.z-e.z)*n,this.w=e.w+(t.w-e.w)*n,this}equals(e){return e.x===this.x&&e.y===this.y&&e.z===this.z&&e.w===this.w}fromArray(e,t=0){return this.x=e[t],this.y=e[t+1],this.z=e[t+2],this.w=e[t+3],this}toArray(e=[],t=0){return e[t]=this.x,e[t+1]=this.y,e[t+2]=this.z,e[t+3]=this.w,e}fromBufferAttribute(e,t){return this.x=e.getX(t),this.y=e.getY(t),this.z=e.getZ(t),this.w=e.getW(t),this}random(){return this.x=Math.random(),this.y=Math.random(),this.z=Math.random(),this.w=Math.random(),this}*[Symbol.iterator](){yield this.x,yield this.y,yield this.z,yield this.w}},Tc=class extends Bi{constructor(e=1,t=1,n={}){super(),n=Object.assign({generateMipmaps:!1,internalFormat:null,minFilter:jn,depthBuffer:!0,stencilBuffer:!1,resolveColorBuffer:!0,resolveDepthBuffer:!0,resolveStencilBuffer:!0,storeMultisampledColorBuffer:!0,storeMultisampledDepthBuffer:!0,storeMultisampledStencilBuffer:!0,depthTexture:null,samples:0,count:1,depth:1,multiview:!1,useArrayDepthTexture:!1},n),this.isRenderTarget=!0,this.width=e,this.height=t,this.depth=n.depth,this.scissor=new Lt(0,0,e,t),this.scissorTest=!1,this.viewport=new Lt(0,0,e,t),this.textures=[];let s=n.count;for(let r=0;r<s;r++)this.textures[r]=new Qn({width:e,height:t,depth:n.depth}),this.textures[r].isRenderTargetTexture=!0,this.textures[r].renderTarget=this;this._setTextureOptions(n),this.depthBuffer=n.depthBuffer,this.stencilBuffer=n.stencilBuffer,this.resolveColorBuffer=n.resolveColorBuffer,this.resolveDepthBuffer=n.resolveDepthBuffer,this.resolveStencilBuffer=n.resolveStencilBuffer,this.storeMultisampledColorBuffer=n.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=n.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=n.storeMultisampledStencilBuffer,this._depthTexture=null,this.depthTexture=n.depthTexture,this.samples=n.samples,this.multiview=n.multiview,this.useArrayDepthTexture=n.useArrayDepthTexture}_setTextureOptions(e={}){let t={minFilter:jn,generateMipmaps:!1,flipY:!1,internalFormat:null};e.mapping!==void 0&&(t.mapping=e.mapping),e.wrapS!==void 0&&(t.wrapS=e.wrapS),e.wrapT!==void 0&&(t.wrapT=e.wrapT),e.wrapR!==void 0&&(t.wrapR=e.wrapR),e.magFilter!==void 0&&(t.magFilter=e.magFilter),e.minFilter!==void 0&&(t.minFilter=e.minFilter),e.format!==void 0&&(t.format=e.format),e.type!==void 0&&(t.type=e.type),e.anisotropy!==void 0&&(t.anisotropy=e.anisotropy),e.colorSpace!==void 0&&(t.colorSpace=e.colorSpace),e.flipY!==void 0&&(t.flipY=e.flipY),e.generateMipmaps!==void 0&&(t.generateMipmaps=e.generateMipmaps),e.mipmapsAutoUpdate!==void 0&&(t.mipmapsAutoUpdate=e.mipmapsAutoUpdate),e.internalFormat!==void 0&&(t.internalFormat=e.internalFormat);for(let n=0;n<this.textures.length;n++)this.textures[n].setValues(t)}get texture(){return this.textures[0]}set texture(e){this.textures[0]=e}set depthTexture(e){this._depthTexture!==null&&this._depthTexture.renderTarget===this&&(this._depthTexture.renderTarget=null),e!==null&&e.renderTarget===null&&(e.renderTarget=this),this._depthTexture=e}get depthTexture(){return this._depthTexture}setSize(e,t,n=1){if(this.width!==e||this.height!==t||this.depth!==n){this.width=e,this.height=t,this.depth=n;for(let s=0,r=this.textures.length;s<r;s++)this.textures[s].image.width=e,this.textures[s].image.height=t,this.textures[s].image.depth=n,this.textures[s].isData3DTexture!==!0&&(this.textures[s].isArrayTexture=this.textures[s].image.depth>1);this.dispose()}this.viewport.set(0,0,e,t),this.scissor.set(0,0,e,t)}clone(){return new this.constructor().copy(this)}copy(e){this.width=e.width,this.height=e.height,this.depth=e.depth,this.scissor.copy(e.scissor),this.scissorTest=e.scissorTest,this.viewport.copy(e.viewport),this.textures.length=0;for(let t=0,n=e.textures.length;t<n;t++){this.textures[t]=e.textures[t].clone(),this.textures[t].isRenderTargetTexture=!0,this.textures[t].renderTarget=this;let s=Object.assign({},e.textures[t].image);this.textures[t].source=new So(s)}if(this.depthBuffer=e.depthBuffer,this.stencilBuffer=e.stencilBuffer,this.resolveColorBuffer=e.resolveColorBuffer,this.resolveDepthBuffer=e.resolveDepthBuffer,this.resolveStencilBuffer=e.resolveStencilBuffer,this.storeMultisampledColorBuffer=e.storeMultisampledColorBuffer,this.storeMultisampledDepthBuffer=e.storeMultisampledDepthBuffer,this.storeMultisampledStencilBuffer=e.storeMultisampledStencilBuffer,e.depthTexture!==null)if(e.depthTexture.renderTarget===e){let t=e.depthTexture.clone();t.renderTarget=null,this.depthTexture=t}else this.depthTexture=e.depthTexture;else this.depthTexture=null;return this.samples=e.samples,this.multiview=e.multiview,this.useArrayDepthTexture=e.useArrayDepthTexture,this}dispose(){this.dispatchEvent({type:"dispose"})}},yi=class extends Tc{constructor(e=1,t=1,n={}){super(e,t,n),this.isWebGLRenderTarget=!0}},va=class extends Qn{constructor(e=null,t=1,n=1,s=1){super(null),this.isDataArrayTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=Cn,this.minFilter=Cn,this.wrapR=es,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1,this.layerUpdates=new Set}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}addLayerUpdate(e){this.layerUpdates.add(e)}clearLayerUpdates(){this.layerUpdates.clear()}};var Ac=class extends Qn{constructor(e=null,t=1,n=1,s=1){super(null),this.isData3DTexture=!0,this.image={data:e,width:t,height:n,depth:s},this.magFilter=Cn,this.minFilter=Cn,this.wrapR=es,this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}copy(e){return super.copy(e),this.wrapR=e.wrapR,this}};var Bt=class i{static{this.prototype.isMatrix4=!0}constructor(e,t,n,s,r,o,a,l,c,h,u,d,f,m,x,g){this.elements=[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1],e!==void 0&&this.set(e,t,n,s,r,o,a,l,c,h,u,d,f,m,x,g)}set(e,t,n,s,r,o,a,l,c,h,u,d,f,m,x,g){let p=this.elements;return p[0]=e,p[4]=t,p[8]=n,p[12]=s,p[1]=r,p[5]=o,p[9]=a,p[13]=l,p[2]=c,p[6]=h,p[10]=u,p[14]=d,p[3]=f,p[7]=m,p[11]=x,p[15]=g,this}identity(){return this.set(1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1),this}clone(){return new i().fromArray(this.elements)}copy(e){let t=this.elements,n=e.elements;return t[0]=n[0],t[1]=n[1],t[2]=n[2],t[3]=n[3],t[4]=n[4],t[5]=n[5],t[6]=n[6],t[7]=n[7],t[8]=n[8],t[9]=n[9],t[10]=n[10],t[11]=n[11],t[12]=n[12],t[13]=n[13],t[14]=n[14],t[15]=n[15],this}copyPosition(e){let t=this.elements,n=e.elements;return t[12]=n[12],t[13]=n[13],t[14]=n[14],this}setFromMatrix3(e){let t=e.elements;return this.set(t[0],t[3],t[6],0,t[1],t[4],t[7],0,t[2],t[5],t[8],0,0,0,0,1),this}extractBasis(e,t,n){return this.determinantAffine()===0?(e.set(1,0,0),t.set(0,1,0),n.set(0,0,1),this):(e.setFromMatrixColumn(this,0),t.setFromMatrixColumn(this,1),n.setFromMatrixColumn(this,2),this)}makeBasis(e,t,n){return this.set(e.x,t.x,n.x,0,e.y,t.y,n.y,0,e.z,t.z,n.z,0,0,0,0,1),this}extractRotation(e){if(e.determinantAffine()===0)return this.identity();let t=this.elements,n=e.elements,s=1/io.setFromMatrixColumn(e,0).length(),r=1/io.setFromMatrixColumn(e,1).length(),o=1/io.setFromMatrixColumn(e,2).length();return t[0]=n[0]*s,t[1]=n[1]*s,t[2]=n[2]*s,t[3]=0,t[4]=n[4]*r,t[5]=n[5]*r,t[6]=n[6]*r,t[7]=0,t[8]=n[8]*o,t[9]=n[9]*o,t[10]=n[10]*o,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromEuler(e){let t=this.elements,n=e.x,s=e.y,r=e.z,o=Math.cos(n),a=Math.sin(n),l=Math.cos(s),c=Math.sin(s),h=Math.cos(r),u=Math.sin(r);if(e.order==="XYZ"){let d=o*h,f=o*u,m=a*h,x=a*u;t[0]=l*h,t[4]=-l*u,t[8]=c,t[1]=f+m*c,t[5]=d-x*c,t[9]=-a*l,t[2]=x-d*c,t[6]=m+f*c,t[10]=o*l}else if(e.order==="YXZ"){let d=l*h,f=l*u,m=c*h,x=c*u;t[0]=d+x*a,t[4]=m*a-f,t[8]=o*c,t[1]=o*u,t[5]=o*h,t[9]=-a,t[2]=f*a-m,t[6]=x+d*a,t[10]=o*l}else if(e.order==="ZXY"){let d=l*h,f=l*u,m=c*h,x=c*u;t[0]=d-x*a,t[4]=-o*u,t[8]=m+f*a,t[1]=f+m*a,t[5]=o*h,t[9]=x-d*a,t[2]=-o*c,t[6]=a,t[10]=o*l}else if(e.order==="ZYX"){let d=o*h,f=o*u,m=a*h,x=a*u;t[0]=l*h,t[4]=m*c-f,t[8]=d*c+x,t[1]=l*u,t[5]=x*c+d,t[9]=f*c-m,t[2]=-c,t[6]=a*l,t[10]=o*l}else if(e.order==="YZX"){let d=o*l,f=o*c,m=a*l,x=a*c;t[0]=l*h,t[4]=x-d*u,t[8]=m*u+f,t[1]=u,t[5]=o*h,t[9]=-a*h,t[2]=-c*h,t[6]=f*u+m,t[10]=d-x*u}else if(e.order==="XZY"){let d=o*l,f=o*c,m=a*l,x=a*c;t[0]=l*h,t[4]=-u,t[8]=c*h,t[1]=d*u+x,t[5]=o*h,t[9]=f*u-m,t[2]=m*u-f,t[6]=a*h,t[10]=x*u+d}return t[3]=0,t[7]=0,t[11]=0,t[12]=0,t[13]=0,t[14]=0,t[15]=1,this}makeRotationFromQuaternion(e){return this.compose(L2,e,D2)}lookAt(e,t,n){let s=this.elements;return fi.subVectors(e,t),fi.lengthSq()===0&&(fi.z=1),fi.normalize(),Bs.crossVectors(n,fi),Bs.lengthSq()===0&&(Math.abs(n.z)===1?fi.x+=1e-4:fi.z+=1e-4,fi.normalize(),Bs.crossVectors(n,fi)),Bs.normalize(),Gl.crossVectors(fi,Bs),s[0]=Bs.x,s[4]=Gl.x,s[8]=fi.x,s[1]=Bs.y,s[5]=Gl.y,s[9]=fi.y,s[2]=Bs.z,s[6]=Gl.z,s[10]=fi.z,this}multiply(e){return this.multiplyMatrices(this,e)}premultiply(e){return this.multiplyMatrices(e,this)}multiplyMatrices(e,t){let n=e.elements,s=t.elements,r=this.elements,o=n[0],a=n[4],l=n[8],c=n[12],h=n[1],u=n[5],d=n[9],f=n[13],m=n[2],x=n[6],g=n[10],p=n[14],b=n[3],A=n[7],w=n[11],P=n[15],T=s[0],y=s[4],E=s[8],z=s[12],N=s[1],L=s[5],H=s[9],W=s[13],D=s[2],G=s[6],K=s[10],B=s[14],ce=s[3],J=s[7],Q=s[11],se=s[15];return r[0]=o*T+a*N+l*D+c*ce,r[4]=o*y+a*L+l*G+c*J,r[8]=o*E+a*H+l*K+c*Q,r[12]=o*z+a*W+l*B+c*se,r[1]=h*T+u*N+d*D+f*ce,r[5]=h*y+u*L+d*G+f*J,r[9]=h*E+u*H+d*K+f*Q,r[13]=h*z+u*W+d*B+f*se,r[2]=m*T+x*N+g*D+p*ce,r[6]=m*y+x*L+g*G+p*J,r[10]=m*E+x*H+g*K+p*Q,r[14]=m*z+x*W+g*B+p*se,r[3]=b*T+A*N+w*D+P*ce,r[7]=b*y+A*L+w*G+P*J,r[11]=b*E+A*H+w*K+P*Q,r[15]=b*z+A*W+w*B+P*se,this}multiplyScalar(e){let t=this.elements;return t[0]*=e,t[4]*=e,t[8]*=e,t[12]*=e,t[1]*=e,t[5]*=e,t[9]*=e,t[13]*=e,t[2]*=e,t[6]*=e,t[10]*=e,t[14]*=e,t[3]*=e,t[7]*=e,t[11]*=e,t[15]*=e,this}determinant(){let e=this.elements,t=e[0],n=e[4],s=e[8],r=e[12],o=e[1],a=e[5],l=e[9],c=e[13],h=e[2],u=e[6],d=e[10],f=e[14],m=e[3],x=e[7],g=e[11],p=e[15],b=l*f-c*d,A=a*f-c*u,w=a*d-l*u,P=o*f-c*h,T=o*d-l*h,y=o*u-a*h;return t*(x*b-g*A+p*w)-n*(m*b-g*P+p*T)+s*(m*A-x*P+p*y)-r*(m*w-x*T+g*y)}determinantAffine(){let e=this.elements,t=e[0],n=e[4],s=e[8],r=e[1],o=e[5],a=e[9],l=e[2],c=e[6],h=e[10];return t*(o*h-a*c)-n*(r*h-a*l)+s*(r*c-o*l)}transpose(){let e=this.elements,t;return t=e[1],e[1]=e[4],e[4]=t,t=e[2],e[2]=e[8],e[8]=t,t=e[6],e[6]=e[9],e[9]=t,t=e[3],e[3]=e[12],e[12]=t,t=e[7],e[7]=e[13],e[13]=t,t=e[11],e[11]=e[14],e[14]=t,this}setPosition(e,t,n){let s=this.elements;return e.isVector3?(s[12]=e.x,s[13]=e.y,s[14]=e.z):(s[12]=e,s[13]=t,s[14]=n),this}invert(){let e=this.elements,t=e[0],n=e[1],s=e[2],r=e[3],o=e[4],a=e[5],l=e[6],c=e[7],h=e[8],u=e[9],d=e[10],f=e[11],m=e[12],x=e[13],g=e[14],p=e[15],b=t*a-n*o,A=t*l-s*o,w=t*c-r*o,P=n*l-s*a,T=n*c-r*a,y=s*c-r*l,E=h*x-u*m,z=h*g-d*m,N=h*p-f*m,L=u*g-d*x,H=u*p-f*x,W=d*p-f*g,D=b*W-A*H+w*L+P*N-T*z+y*E;if(D===0)return this.set(0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0);let G=1/D;return e[0]=(a*W-l*H+c*L)*G,e[1]=(s*H-n*W-r*L)*G,e[2]=(x*y-g*T+p*P)*G,e[3]=(d*T-u*y-f*P)*G,e[4]=(l*N-o*W-c*z)*G,e[5]=(t*W-s*N+r*z)*G,e[6]=(g*w-m*y-p*A)*G,e[7]=(h*y-d*w+f*A)*G,e[8]=(o*H-a*N+c*E)*G,e[9]=(n*N-t*H-r*E)*G,e[10]=(m*T-x*w+p*b)*G,e[11]=(u*w-h*T-f*b)*G,e[12]=(a*z-o*L-l*E)*G,e[13]=(t*L-n*z+s*E)*G,e[14]=(x*A-m*P-g*b)*G,e[15]=(h*P-u*A+d*b)*G,this}scale(e){let t=this.elements,n=e.x,s=e.y,r=e.z;return t[0]*=n,t[4]*=s,t[8]*=r,t[1]*=n,t[5]*=s,t[9]*=r,t[2]*=n,t[6]*=s,t[10]*=r,t[3]*=n,t[7]*=s,t[11]*=r,this}getMaxScaleOnAxis(){let e=this.elements,t=e[0]*e[0]+e[1]*e[1]+e[2]*e[2],n=e[4]*e[4]+e[5]*e[5]+e[6]*e[6],s=e[8]*e[8]+e[9]*e[9]+e[10]*e[10];return Math.sqrt(Math.max(t,n,s))}makeTranslation(e,t,n){return e.isVector3?this.set(1,0,0,e.x,0,1,0,e.y,0,0,1,e.z,0,0,0,1):this.set(1,0,0,e,0,1,0,t,0,0,1,n,0,0,0,1),this}makeRotationX(e){let t=Math.cos(e),n=Math.sin(e);return this.set(1,0,0,0,0,t,-n,0,0,n,t,0,0,0,0,1),this}makeRotationY(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,0,n,0,0,1,0,0,-n,0,t,0,0,0,0,1),this}makeRotationZ(e){let t=Math.cos(e),n=Math.sin(e);return this.set(t,-n,0,0,n,t,0,0,0,0,1,0,0,0,0,1),this}makeRotationAxis(e,t){let n=Math.cos(t),s=Math.sin(t),r=1-n,o=e.x,a=e.y,l=e.z,c=r*o,h=r*a;return this.set(c*o+n,c*a-s*l,c*l+s*a,0,c*a+s*l,h*a+n,h*l-s*o,0,c*l-s*a,h*l+s*o,r*l*l+n,0,0,0,0,1),this}makeScale(e,t,n){return this.set(e,0,0,0,0,t,0,0,0,0,n,0,0,0,0,1),this}makeShear(e,t,n,s,r,o){return this.set(1,n,r,0,e,1,o,0,t,s,1,0,0,0,0,1),this}compose(e,t,n){let s=this.elements,r=t._x,o=t._y,a=t._z,l=t._w,c=r+r,h=o+o,u=a+a,d=r*c,f=r*h,m=r*u,x=o*h,g=o*u,p=a*u,b=l*c,A=l*h,w=l*u,P=n.x,T=n.y,y=n.z;return s[0]=(1-(x+p))*P,s[1]=(f+w)*P,s[2]=(m-A)*P,s[3]=0,s[4]=(f-w)*T,s[5]=(1-(d+p))*T,s[6]=(g+b)*T,s[7]=0,s[8]=(m+A)*y,s[9]=(g-b)*y,s[10]=(1-(d+x))*y,s[11]=0,s[12]=e.x,s[13]=e.y,s[14]=e.z,s[15]=1,this}decompose(e,t,n){let s=this.elements;e.x=s[12],e.y=s[13],e.z=s[14];let r=this.determinantAffine();if(r===0)return n.set(1,1,1),t.identity(),this;let o=io.set(s[0],s[1],s[2]).length(),a=io.set(s[4],s[5],s[6]).length(),l=io.set(s[8],s[9],s[10]).length();r<0&&(o=-o),Ui.copy(this);let c=1/o,h=1/a,u=1/l;return Ui.elements[0]*=c,Ui.elements[1]*=c,Ui.elements[2]*=c,Ui.elements[4]*=h,Ui.elements[5]*=h,Ui.elements[6]*=h,Ui.elements[8]*=u,Ui.elements[9]*=u,Ui.elements[10]*=u,t.setFromRotationMatrix(Ui),n.x=o,n.y=a,n.z=l,this}makePerspective(e,t,n,s,r,o,a=Ai,l=!1){let c=this.elements,h=2*r/(t-e),u=2*r/(n-s),d=(t+e)/(t-e),f=(n+s)/(n-s),m,x;if(l)m=r/(o-r),x=o*r/(o-r);else if(a===Ai)m=-(o+r)/(o-r),x=-2*o*r/(o-r);else if(a===_a)m=-o/(o-r),x=-o*r/(o-r);else throw new Error("THREE.Matrix4.makePerspective(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=d,c[12]=0,c[1]=0,c[5]=u,c[9]=f,c[13]=0,c[2]=0,c[6]=0,c[10]=m,c[14]=x,c[3]=0,c[7]=0,c[11]=-1,c[15]=0,this}makeOrthographic(e,t,n,s,r,o,a=Ai,l=!1){let c=this.elements,h=2/(t-e),u=2/(n-s),d=-(t+e)/(t-e),f=-(n+s)/(n-s),m,x;if(l)m=1/(o-r),x=o/(o-r);else if(a===Ai)m=-2/(o-r),x=-(o+r)/(o-r);else if(a===_a)m=-1/(o-r),x=-r/(o-r);else throw new Error("THREE.Matrix4.makeOrthographic(): Invalid coordinate system: "+a);return c[0]=h,c[4]=0,c[8]=0,c[12]=d,c[1]=0,c[5]=u,c[9]=0,c[13]=f,c[2]=0,c[6]=0,c[10]=m,c[14]=x,c[3]=0,c[7]=0,c[11]=0,c[15]=1,this}equals(e){let t=this.elements,n=e.elements;for(let s=0;s<16;s++)if(t[s]!==n[s])return!1;return!0}fromArray(e,t=0){for(let n=0;n<16;n++)this.elements[n]=e[n+t];return this}toArray(e=[],t=0){let n=this.elements;return e[t]=n[0],e[t+1]=n[1],e[t+2]=n[2],e[t+3]=n[3],e[t+4]=n[4],e[t+5]=n[5],e[t+6]=n[6],e[t+7]=n[7],e[t+8]=n[8],e[t+9]=n[9],e[t+10]=n[10],e[t+11]=n[11],e[t+12]=n[12],e[t+13]=n[13],e[t+14]=n[14],e[t+15]=n[15],e}},io=new V,Ui=new Bt,L2=new V(0,0,0),D2=new V(1,1,1),Bs=new V,Gl=new V,fi=new V,l0=new Bt,c0=new _i,Xs=class i{constructor(e=0,t=0,n=0,s=i.DEFAULT_ORDER){this.isEuler=!0,this._x=e,this._y=t,this._z=n,this._order=s}get x(){return this._x}set x(e){this._x=e,this._onChangeCallback()}get y(){return this._y}set y(e){this._y=e,this._onChangeCallback()}get z(){return this._z}set z(e){this._z=e,this._onChangeCallback()}get order(){return this._order}set order(e){this._order=e,this._onChangeCallback()}set(e,t,n,s=this._order){return this._x=e,this._y=t,this._z=n,this._order=s,this._onChangeCallback(),this}clone(){return new this.constructor(this._x,this._y,this._z,this._order)}copy(e){return this._x=e._x,this._y=e._y,this._z=e._z,this._order=e._order,this._onChangeCallback(),this}setFromRotationMatrix(e,t=this._order,n=!0){let s=e.elements,r=s[0],o=s[4],a=s[8],l=s[1],c=s[5],h=s[9],u=s[2],d=s[6],f=s[10];switch(t){case"XYZ":this._y=Math.asin(ot(a,-1,1)),Math.abs(a)<.9999999?(this._x=Math.atan2(-h,f),this._z=Math.atan2(-o,r)):(this._x=Math.atan2(d,c),this._z=0);break;case"YXZ":this._x=Math.asin(-ot(h,-1,1)),Math.abs(h)<.9999999?(this._y=Math.atan2(a,f),this._z=Math.atan2(l,c)):(this._y=Math.atan2(-u,r),this._z=0);break;case"ZXY":this._x=Math.asin(ot(d,-1,1)),Math.abs(d)<.9999999?(this._y=Math.atan2(-u,f),this._z=Math.atan2(-o,c)):(this._y=0,this._z=Math.atan2(l,r));break;case"ZYX":this._y=Math.asin(-ot(u,-1,1)),Math.abs(u)<.9999999?(this._x=Math.atan2(d,f),this._z=Math.atan2(l,r)):(this._x=0,this._z=Math.atan2(-o,c));break;case"YZX":this._z=Math.asin(ot(l,-1,1)),Math.abs(l)<.9999999?(this._x=Math.atan2(-h,c),this._y=Math.atan2(-u,r)):(this._x=0,this._y=Math.atan2(a,f));break;case"XZY":this._z=Math.asin(-ot(o,-1,1)),Math.abs(o)<.9999999?(this._x=Math.atan2(d,c),this._y=Math.atan2(a,r)):(this._x=Math.atan2(-h,f),this._y=0);break;default:qe("Euler: .setFromRotationMatrix() encountered an unknown order: "+t)}return this._order=t,n===!0&&this._onChangeCallback(),this}setFromQuaternion(e,t,n){return l0.makeRotationFromQuaternion(e),this.setFromRotationMatrix(l0,t,n)}setFromVector3(e,t=this._order){return this.set(e.x,e.y,e.z,t)}reorder(e){return c0.setFromEuler(this),this.setFromQuaternion(c0,e)}equals(e){return e._x===this._x&&e._y===this._y&&e._z===this._z&&e._order===this._order}fromArray(e){return this._x=e[0],this._y=e[1],this._z=e[2],e[3]!==void 0&&(this._order=e[3]),this._onChangeCallback(),this}toArray(e=[],t=0){return e[t]=this._x,e[t+1]=this._y,e[t+2]=this._z,e[t+3]=this._order,e}_onChange(e){return this._onChangeCallback=e,this}_onChangeCallback(){}*[Symbol.iterator](){yield this._x,yield this._y,yield this._z,yield this._order}};Xs.DEFAULT_ORDER="XYZ";var ba=class{constructor(){this.mask=1}set(e){this.mask=(1<<e|0)>>>0}enable(e){this.mask|=1<<e|0}enableAll(){this.mask=-1}toggle(e){this.mask^=1<<e|0}disable(e){this.mask&=~(1<<e|0)}disableAll(){this.mask=0}test(e){return(this.mask&e.mask)!==0}isEnabled(e){return(this.mask&(1<<e|0))!==0}},N2=0,h0=new V,so=new _i,_s=new Bt,Hl=new V,aa=new V,F2=new V,U2=new _i,u0=new V(1,0,0),d0=new V(0,1,0),f0=new V(0,0,1),p0={type:"added"},O2={type:"removed"},ro={type:"childadded",child:null},gd={type:"childremoved",child:null},ni=class i extends Bi{constructor(){super(),this.isObject3D=!0,Object.defineProperty(this,"id",{value:N2++}),this.uuid=tr(),this.name="",this.type="Object3D",this.parent=null,this.children=[],this.up=i.DEFAULT_UP.clone();let e=new V,t=new Xs,n=new _i,s=new V(1,1,1);function r(){n.setFromEuler(t,!1)}function o(){t.setFromQuaternion(n,void 0,!1)}t._onChange(r),n._onChange(o),Object.defineProperties(this,{position:{configurable:!0,enumerable:!0,value:e},rotation:{configurable:!0,enumerable:!0,value:t},quaternion:{configurable:!0,enumerable:!0,value:n},scale:{configurable:!0,enumerable:!0,value:s},modelViewMatrix:{value:new Bt},normalMatrix:{value:new tt}}),this.matrix=new Bt,this.matrixWorld=new Bt,this.matrixAutoUpdate=i.DEFAULT_MATRIX_AUTO_UPDATE,this.matrixWorldAutoUpdate=i.DEFAULT_MATRIX_WORLD_AUTO_UPDATE,this.matrixWorldNeedsUpdate=!1,this.layers=new ba,this.visible=!0,this.castShadow=!1,this.receiveShadow=!1,this.frustumCulled=!0,this.renderOrder=0,this.animations=[],this.customDepthMaterial=void 0,this.customDistanceMaterial=void 0,this.static=!1,this.userData={},this.pivot=null}onBeforeShadow(){}onAfterShadow(){}onBeforeRender(){}onAfterRender(){}applyMatrix4(e){this.matrixAutoUpdate&&this.updateMatrix(),this.matrix.premultiply(e),this.matrix.decompose(this.position,this.quaternion,this.scale),this.pivot!==null&&this.position.copy(this.pivot).applyMatrix4(this.matrix).sub(this.pivot)}applyQuaternion(e){return this.quaternion.premultiply(e),this}setRotationFromAxisAngle(e,t){this.quaternion.setFromAxisAngle(e,t)}setRotationFromEuler(e){this.quaternion.setFromEuler(e,!0)}setRotationFromMatrix(e){this.quaternion.setFromRotationMatrix(e)}setRotationFromQuaternion(e){this.quaternion.copy(e)}rotateOnAxis(e,t){return so.setFromAxisAngle(e,t),this.quaternion.multiply(so),this}rotateOnWorldAxis(e,t){return so.setFromAxisAngle(e,t),this.quaternion.premultiply(so),this}rotateX(e){return this.rotateOnAxis(u0,e)}rotateY(e){return this.rotateOnAxis(d0,e)}rotateZ(e){return this.rotateOnAxis(f0,e)}translateOnAxis(e,t){return h0.copy(e).applyQuaternion(this.quaternion),this.position.add(h0.multiplyScalar(t)),this}translateX(e){return this.translateOnAxis(u0,e)}translateY(e){return this.translateOnAxis(d0,e)}translateZ(e){return this.translateOnAxis(f0,e)}localToWorld(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(this.matrixWorld)}worldToLocal(e){return this.updateWorldMatrix(!0,!1),e.applyMatrix4(_s.copy(this.matrixWorld).invert())}lookAt(e,t,n){e.isVector3?Hl.copy(e):Hl.set(e,t,n);let s=this.parent;this.updateWorldMatrix(!0,!1),aa.setFromMatrixPosition(this.matrixWorld),this.isCamera||this.isLight?_s.lookAt(aa,Hl,this.up):_s.lookAt(Hl,aa,this.up),this.quaternion.setFromRotationMatrix(_s),s&&(_s.extractRotation(s.matrixWorld),so.setFromRotationMatrix(_s),this.quaternion.premultiply(so.invert()))}add(e){if(arguments.length>1){for(let t=0;t<arguments.length;t++)this.add(arguments[t]);return this}return e===this?(Qe("Object3D.add: object can't be added as a child of itself.",e),this):(e&&e.isObject3D?(e.removeFromParent(),e.parent=this,this.children.push(e),e.dispatchEvent(p0),ro.child=e,this.dispatchEvent(ro),ro.child=null):Qe("Object3D.add: object not an instance of THREE.Object3D.",e),this)}remove(e){if(arguments.length>1){for(let n=0;n<arguments.length;n++)this.remove(arguments[n]);return this}let t=this.children.indexOf(e);return t!==-1&&(e.parent=null,this.children.splice(t,1),e.dispatchEvent(O2),gd.child=e,this.dispatchEvent(gd),gd.child=null),this}removeFromParent(){let e=this.parent;return e!==null&&e.remove(this),this}clear(){return this.remove(...this.children)}attach(e){return this.updateWorldMatrix(!0,!1),_s.copy(this.matrixWorld).invert(),e.parent!==null&&(e.parent.updateWorldMatrix(!0,!1),_s.multiply(e.parent.matrixWorld)),e.applyMatrix4(_s),e.removeFromParent(),e.parent=this,this.children.push(e),e.updateWorldMatrix(!1,!0),e.dispatchEvent(p0),ro.child=e,this.dispatchEvent(ro),ro.child=null,this}getObjectById(e){return this.getObjectByProperty("id",e)}getObjectByName(e){return this.getObjectByProperty("name",e)}getObjectByProperty(e,t){if(this[e]===t)return this;for(let n=0,s=this.children.length;n<s;n++){let o=this.children[n].getObjectByProperty(e,t);if(o!==void 0)return o}}getObjectsByProperty(e,t,n=[]){this[e]===t&&n.push(this);let s=this.children;for(let r=0,o=s.length;r<o;r++)s[r].getObjectsByProperty(e,t,n);return n}getWorldPosition(e){return this.updateWorldMatrix(!0,!1),e.setFromMatrixPosition(this.matrixWorld)}getWorldQuaternion(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(aa,e,F2),e}getWorldScale(e){return this.updateWorldMatrix(!0,!1),this.matrixWorld.decompose(aa,U2,e),e}getWorldDirection(e){this.updateWorldMatrix(!0,!1);let t=this.matrixWorld.elements;return e.set(t[8],t[9],t[10]).normalize()}raycast(){}intersectsFrustum(){return!0}traverse(e){e(this);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverse(e)}traverseVisible(e){if(this.visible===!1)return;e(this);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].traverseVisible(e)}traverseAncestors(e){let t=this.parent;t!==null&&(e(t),t.traverseAncestors(e))}updateMatrix(){this.matrix.compose(this.position,this.quaternion,this.scale);let e=this.pivot;if(e!==null){let t=e.x,n=e.y,s=e.z,r=this.matrix.elements;r[12]+=t-r[0]*t-r[4]*n-r[8]*s,r[13]+=n-r[1]*t-r[5]*n-r[9]*s,r[14]+=s-r[2]*t-r[6]*n-r[10]*s}this.matrixWorldNeedsUpdate=!0}updateMatrixWorld(e){this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||e)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,e=!0);let t=this.children;for(let n=0,s=t.length;n<s;n++)t[n].updateMatrixWorld(e)}updateWorldMatrix(e,t,n=!1){let s=this.parent;if(e===!0&&s!==null&&s.updateWorldMatrix(!0,!1),this.matrixAutoUpdate&&this.updateMatrix(),(this.matrixWorldNeedsUpdate||n)&&(this.matrixWorldAutoUpdate===!0&&(this.parent===null?this.matrixWorld.copy(this.matrix):this.matrixWorld.multiplyMatrices(this.parent.matrixWorld,this.matrix)),this.matrixWorldNeedsUpdate=!1,n=!0),t===!0){let r=this.children;for(let o=0,a=r.length;o<a;o++)r[o].updateWorldMatrix(!1,!0,n)}}toJSON(e){let t=e===void 0||typeof e=="string",n={};t&&(e={geometries:{},materials:{},textures:{},images:{},shapes:{},skeletons:{},animations:{},nodes:{}},n.metadata={version:4.7,type:"Object",generator:"Object3D.toJSON"});let s={};s.uuid=this.uuid,s.type=this.type,s.name=this.name,s.castShadow=this.castShadow,s.receiveShadow=this.receiveShadow,s.visible=this.visible,s.frustumCulled=this.frustumCulled,s.renderOrder=this.renderOrder,s.static=this.static,s.matrixAutoUpdate=this.matrixAutoUpdate,Object.keys(this.userData).length>0&&(s.userData=this.userData),s.layers=this.layers.mask,s.matrix=this.matrix.toArray(),s.up=this.up.toArray(),this.pivot!==null&&(s.pivot=this.pivot.toArray()),this.morphTargetDictionary!==void 0&&(s.morphTargetDictionary=Object.assign({},this.morphTargetDictionary)),this.morphTargetInfluences!==void 0&&(s.morphTargetInfluences=this.morphTargetInfluences.slice()),this.isInstancedMesh&&(s.type="InstancedMesh",s.count=this.count,s.instanceMatrix=this.instanceMatrix.toJSON(),this.instanceColor!==null&&(s.instanceColor=this.instanceColor.toJSON())),this.isBatchedMesh&&(s.type="BatchedMesh",s.perObjectFrustumCulled=this.perObjectFrustumCulled,s.sortObjects=this.sortObjects,s.drawRanges=this._drawRanges,s.reservedRanges=this._reservedRanges,s.geometryInfo=this._geometryInfo.map(a=>({...a,boundingBox:a.boundingBox?a.boundingBox.toJSON():void 0,boundingSphere:a.boundingSphere?a.boundingSphere.toJSON():void 0})),s.instanceInfo=this._instanceInfo.map(a=>({...a})),s.availableInstanceIds=this._availableInstanceIds.slice(),s.availableGeometryIds=this._availableGeometryIds.slice(),s.nextIndexStart=this._nextIndexStart,s.nextVertexStart=this._nextVertexStart,s.geometryCount=this._geometryCount,s.maxInstanceCount=this._maxInstanceCount,s.maxVertexCount=this._maxVertexCount,s.maxIndexCount=this._maxIndexCount,s.geometryInitialized=this._geometryInitialized,s.matricesTexture=this._matricesTexture.toJSON(e),s.indirectTexture=this._indirectTexture.toJSON(e),this._colorsTexture!==null&&(s.colorsTexture=this._colorsTexture.toJSON(e)),this.boundingSphere!==null&&(s.boundingSphere=this.boundingSphere.toJSON()),this.boundingBox!==null&&(s.boundingBox=this.boundingBox.toJSON()));function r(a,l){return a[l.uuid]===void 0&&(a[l.uuid]=l.toJSON(e)),l.uuid}if(this.isScene)this.background&&(this.background.isColor?s.background=this.background.toJSON():this.background.isTexture&&(s.background=this.background.toJSON(e).uuid)),this.environment&&this.environment.isTexture&&this.environment.isRenderTargetTexture!==!0&&(s.environment=this.environment.toJSON(e).uuid);else if(this.isMesh||this.isLine||this.isPoints){s.geometry=r(e.geometries,this.geometry);let a=this.geometry.parameters;if(a!==void 0&&a.shapes!==void 0){let l=a.shapes;if(Array.isArray(l))for(let c=0,h=l.length;c<h;c++){let u=l[c];r(e.shapes,u)}else r(e.shapes,l)}}if(this.isSkinnedMesh&&(s.bindMode=this.bindMode,s.bindMatrix=this.bindMatrix.toArray(),this.skeleton!==void 0&&(r(e.skeletons,this.skeleton),s.skeleton=this.skeleton.uuid)),this.material!==void 0)if(Array.isArray(this.material)){let a=[];for(let l=0,c=this.material.length;l<c;l++)a.push(r(e.materials,this.material[l]));s.material=a}else s.material=r(e.materials,this.material);if(this.children.length>0){s.children=[];for(let a=0;a<this.children.length;a++)s.children.push(this.children[a].toJSON(e).object)}if(this.animations.length>0){s.animations=[];for(let a=0;a<this.animations.length;a++){let l=this.animations[a];s.animations.push(r(e.animations,l))}}if(t){let a=o(e.geometries),l=o(e.materials),c=o(e.textures),h=o(e.images),u=o(e.shapes),d=o(e.skeletons),f=o(e.animations),m=o(e.nodes);a.length>0&&(n.geometries=a),l.length>0&&(n.materials=l),c.length>0&&(n.textures=c),h.length>0&&(n.images=h),u.length>0&&(n.shapes=u),d.length>0&&(n.skeletons=d),f.length>0&&(n.animations=f),m.length>0&&(n.nodes=m)}return n.object=s,n;function o(a){let l=[];for(let c in a){let h=a[c];delete h.metadata,l.push(h)}return l}}clone(e){return new this.constructor().copy(this,e)}copy(e,t=!0){if(this.name=e.name,this.up.copy(e.up),this.position.copy(e.position),this.rotation.order=e.rotation.order,this.quaternion.copy(e.quaternion),this.scale.copy(e.scale),this.pivot=e.pivot!==null?e.pivot.clone():null,this.matrix.copy(e.matrix),this.matrixWorld.copy(e.matrixWorld),this.matrixAutoUpdate=e.matrixAutoUpdate,this.matrixWorldAutoUpdate=e.matrixWorldAutoUpdate,this.matrixWorldNeedsUpdate=e.matrixWorldNeedsUpdate,this.layers.mask=e.layers.mask,this.visible=e.visible,this.castShadow=e.castShadow,this.receiveShadow=e.receiveShadow,this.frustumCulled=e.frustumCulled,this.renderOrder=e.renderOrder,this.static=e.static,this.animations=e.animations.slice(),this.userData=JSON.parse(JSON.stringify(e.userData)),t===!0)for(let n=0;n<e.children.length;n++){let s=e.children[n];this.add(s.clone())}return this}dispose(){this.dispatchEvent({type:"dispose"})}};ni.DEFAULT_UP=new V(0,1,0);ni.DEFAULT_MATRIX_AUTO_UPDATE=!0;ni.DEFAULT_MATRIX_WORLD_AUTO_UPDATE=!0;var br=class extends ni{constructor(){super(),this.isGroup=!0,this.type="Group"}},k2={type:"move"},Mo=class{constructor(){this._targetRay=null,this._grip=null,this._hand=null}getHandSpace(){return this._hand===null&&(this._hand=new br,this._hand.matrixAutoUpdate=!1,this._hand.visible=!1,this._hand.joints={},this._hand.inputState={pinching:!1}),this._hand}getTargetRaySpace(){return this._targetRay===null&&(this._targetRay=new br,this._targetRay.matrixAutoUpdate=!1,this._targetRay.visible=!1,this._targetRay.hasLinearVelocity=!1,this._targetRay.linearVelocity=new V,this._targetRay.hasAngularVelocity=!1,this._targetRay.angularVelocity=new V),this._targetRay}getGripSpace(){return this._grip===null&&(this._grip=new br,this._grip.matrixAutoUpdate=!1,this._grip.visible=!1,this._grip.hasLinearVelocity=!1,this._grip.linearVelocity=new V,this._grip.hasAngularVelocity=!1,this._grip.angularVelocity=new V,this._grip.eventsEnabled=!1),this._grip}dispatchEvent(e){return this._targetRay!==null&&this._targetRay.dispatchEvent(e),this._grip!==null&&this._grip.dispatchEvent(e),this._hand!==null&&this._hand.dispatchEvent(e),this}connect(e){if(e&&e.hand){let t=this._hand;if(t)for(let n of e.hand.values())this._getHandJoint(t,n)}return this.dispatchEvent({type:"connected",data:e}),this}disconnect(e){return this.dispatchEvent({type:"disconnected",data:e}),this._targetRay!==null&&(this._targetRay.visible=!1),this._grip!==null&&(this._grip.visible=!1),this._hand!==null&&(this._hand.visible=!1),this}update(e,t,n){let s=null,r=null,o=null,a=this._targetRay,l=this._grip,c=this._hand;if(e&&t.session.visibilityState!=="visible-blurred"){if(c&&e.hand){o=!0;for(let x of e.hand.values()){let g=t.getJointPose(x,n),p=this._getHandJoint(c,x);g!==null&&(p.matrix.fromArray(g.transform.matrix),p.matrix.decompose(p.position,p.quaternion,p.scale),p.matrixWorldNeedsUpdate=!0,p.jointRadius=g.radius),p.visible=g!==null}let h=c.joints["index-finger-tip"],u=c.joints["thumb-tip"],d=h.position.distanceTo(u.position),f=.02,m=.005;c.inputState.pinching&&d>f+m?(c.inputState.pinching=!1,this.dispatchEvent({type:"pinchend",handedness:e.handedness,target:this})):!c.inputState.pinching&&d<=f-m&&(c.inputState.pinching=!0,this.dispatchEvent({type:"pinchstart",handedness:e.handedness,target:this}))}else l!==null&&e.gripSpace&&(r=t.getPose(e.gripSpace,n),r!==null&&(l.matrix.fromArray(r.transform.matrix),l.matrix.decompose(l.position,l.quaternion,l.scale),l.matrixWorldNeedsUpdate=!0,r.linearVelocity?(l.hasLinearVelocity=!0,l.linearVelocity.copy(r.linearVelocity)):l.hasLinearVelocity=!1,r.angularVelocity?(l.hasAngularVelocity=!0,l.angularVelocity.copy(r.angularVelocity)):l.hasAngularVelocity=!1,l.eventsEnabled&&l.dispatchEvent({type:"gripUpdated",data:e,target:this})));a!==null&&(s=t.getPose(e.targetRaySpace,n),s===null&&r!==null&&(s=r),s!==null&&(a.matrix.fromArray(s.transform.matrix),a.matrix.decompose(a.position,a.quaternion,a.scale),a.matrixWorldNeedsUpdate=!0,s.linearVelocity?(a.hasLinearVelocity=!0,a.linearVelocity.copy(s.linearVelocity)):a.hasLinearVelocity=!1,s.angularVelocity?(a.hasAngularVelocity=!0,a.angularVelocity.copy(s.angularVelocity)):a.hasAngularVelocity=!1,this.dispatchEvent(k2)))}return a!==null&&(a.visible=s!==null),l!==null&&(l.visible=r!==null),c!==null&&(c.visible=o!==null),this}_getHandJoint(e,t){if(e.joints[t.jointName]===void 0){let n=new br;n.matrixAutoUpdate=!1,n.visible=!1,e.joints[t.jointName]=n,e.add(n)}return e.joints[t.jointName]}},g1={aliceblue:15792383,antiquewhite:16444375,aqua:65535,aquamarine:8388564,azure:15794175,beige:16119260,bisque:16770244,black:0,blanchedalmond:16772045,blue:255,blueviolet:9055202,brown:10824234,burlywood:14596231,cadetblue:6266528,chartreuse:8388352,chocolate:13789470,coral:16744272,cornflowerblue:6591981,cornsilk:16775388,crimson:14423100,cyan:65535,darkblue:139,darkcyan:35723,darkgoldenrod:12092939,darkgray:11119017,darkgreen:25600,darkgrey:11119017,darkkhaki:12433259,darkmagenta:9109643,darkolivegreen:5597999,darkorange:16747520,darkorchid:10040012,darkred:9109504,darksalmon:15308410,darkseagreen:9419919,darkslateblue:4734347,darkslategray:3100495,darkslategrey:3100495,darkturquoise:52945,darkviolet:9699539,deeppink:16716947,deepskyblue:49151,dimgray:6908265,dimgrey:6908265,dodgerblue:2003199,firebrick:11674146,floralwhite:16775920,forestgreen:2263842,fuchsia:16711935,gainsboro:14474460,ghostwhite:16316671,gold:16766720,goldenrod:14329120,gray:8421504,green:32768,greenyellow:11403055,grey:8421504,honeydew:15794160,hotpink:16738740,indianred:13458524,indigo:4915330,ivory:16777200,khaki:15787660,lavender:15132410,lavenderblush:16773365,lawngreen:8190976,lemonchiffon:16775885,lightblue:11393254,lightcoral:15761536,lightcyan:14745599,lightgoldenrodyellow:16448210,lightgray:13882323,lightgreen:9498256,lightgrey:13882323,lightpink:16758465,lightsalmon:16752762,lightseagreen:2142890,lightskyblue:8900346,lightslategray:7833753,lightslategrey:7833753,lightsteelblue:11584734,lightyellow:16777184,lime:65280,limegreen:3329330,linen:16445670,magenta:16711935,maroon:8388608,mediumaquamarine:6737322,mediumblue:205,mediumorchid:12211667,mediumpurple:9662683,mediumseagreen:3978097,mediumslateblue:8087790,mediumspringgreen:64154,mediumturquoise:4772300,mediumvioletred:13047173,midnightblue:1644912,mintcream:16121850,mistyrose:16770273,moccasin:16770229,navajowhite:16768685,navy:128,oldlace:16643558,olive:8421376,olivedrab:7048739,orange:16753920,orangered:16729344,orchid:14315734,palegoldenrod:15657130,palegreen:10025880,paleturquoise:11529966,palevioletred:14381203,papayawhip:16773077,peachpuff:16767673,peru:13468991,pink:16761035,plum:14524637,powderblue:11591910,purple:8388736,rebeccapurple:6697881,red:16711680,rosybrown:12357519,royalblue:4286945,saddlebrown:9127187,salmon:16416882,sandybrown:16032864,seagreen:3050327,seashell:16774638,sienna:10506797,silver:12632256,skyblue:8900331,slateblue:6970061,slategray:7372944,slategrey:7372944,snow:16775930,springgreen:65407,steelblue:4620980,tan:13808780,teal:32896,thistle:14204888,tomato:16737095,turquoise:4251856,violet:15631086,wheat:16113331,white:16777215,whitesmoke:16119285,yellow:16776960,yellowgreen:10145074},zs={h:0,s:0,l:0},Wl={h:0,s:0,l:0};function _d(i,e,t){return t<0&&(t+=1),t>1&&(t-=1),t<1/6?i+(e-i)*6*t:t<1/2?e:t<2/3?i+(e-i)*6*(2/3-t):i}var Je=class{constructor(e,t,n){return this.isColor=!0,this.r=1,this.g=1,this.b=1,this.set(e,t,n)}set(e,t,n){if(t===void 0&&n===void 0){let s=e;s&&s.isColor?this.copy(s):typeof s=="number"?this.setHex(s):typeof s=="string"&&this.setStyle(s)}else this.setRGB(e,t,n);return this}setScalar(e){return this.r=e,this.g=e,this.b=e,this}setHex(e,t=mi){return e=Math.floor(e),this.r=(e>>16&255)/255,this.g=(e>>8&255)/255,this.b=(e&255)/255,pt.colorSpaceToWorking(this,t),this}setRGB(e,t,n,s=pt.workingColorSpace){return this.r=e,this.g=t,this.b=n,pt.colorSpaceToWorking(this,s),this}setHSL(e,t,n,s=pt.workingColorSpace){if(e=mf(e,1),t=ot(t,0,1),n=ot(n,0,1),t===0)this.r=this.g=this.b=n;else{let r=n<=.5?n*(1+t):n+t-n*t,o=2*n-r;this.r=_d(o,r,e+1/3),this.g=_d(o,r,e),this.b=_d(o,r,e-1/3)}return pt.colorSpaceToWorking(this,s),this}setStyle(e,t=mi){function n(r){r!==void 0&&parseFloat(r)<1&&qe("Color: Alpha component of "+e+" will be ignored.")}let s;if(s=/^(\w+)\(([^\)]*)\)/.exec(e)){let r,o=s[1],a=s[2];switch(o){case"rgb":case"rgba":if(r=/^\s*(\d+)\s*,\s*(\d+)\s*,\s*(\d+)\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(255,parseInt(r[1],10))/255,Math.min(255,parseInt(r[2],10))/255,Math.min(255,parseInt(r[3],10))/255,t);if(r=/^\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setRGB(Math.min(100,parseFloat(r[1]))/100,Math.min(100,parseFloat(r[2]))/100,Math.min(100,parseFloat(r[3]))/100,t);break;case"hsl":case"hsla":if(r=/^\s*([+-]?(?:\d+(?:\.\d+)?|\.\d+))\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*,\s*(\d+(?:\.\d+)?|\.\d+)\%\s*(?:,\s*(\d+(?:\.\d+)?|\.\d+)\s*)?$/.exec(a))return n(r[4]),this.setHSL(parseFloat(r[1])/360,parseFloat(r[2])/100,parseFloat(r[3])/100,t);break;default:qe("Color: Unknown color model "+e)}}else if(s=/^\#([A-Fa-f\d]+)$/.exec(e)){let r=s[1],o=r.length;if(o===3)return this.setRGB(parseInt(r.charAt(0),16)/15,parseInt(r.charAt(1),16)/15,parseInt(r.charAt(2),16)/15,t);if(o===6)return this.setHex(parseInt(r,16),t);qe("Color: Invalid hex color "+e)}else if(e&&e.length>0)return this.setColorName(e,t);return this}setColorName(e,t=mi){let n=g1[e.toLowerCase()];return n!==void 0?this.setHex(n,t):qe("Color: Unknown color "+e),this}clone(){return new this.constructor(this.r,this.g,this.b)}copy(e){return this.r=e.r,this.g=e.g,this.b=e.b,this}copySRGBToLinear(e){return this.r=Ss(e.r),this.g=Ss(e.g),this.b=Ss(e.b),this}copyLinearToSRGB(e){return this.r=yo(e.r),this.g=yo(e.g),this.b=yo(e.b),this}convertSRGBToLinear(){return this.copySRGBToLinear(this),this}convertLinearToSRGB(){return this.copyLinearToSRGB(this),this}getHex(e=mi){return pt.workingToColorSpace(zn.copy(this),e),Math.round(ot(zn.r*255,0,255))*65536+Math.round(ot(zn.g*255,0,255))*256+Math.round(ot(zn.b*255,0,255))}getHexString(e=mi){return("000000"+this.getHex(e).toString(16)).slice(-6)}getHSL(e,t=pt.workingColorSpace){pt.workingToColorSpace(zn.copy(this),t);let n=zn.r,s=zn.g,r=zn.b,o=Math.max(n,s,r),a=Math.min(n,s,r),l,c,h=(a+o)/2;if(a===o)l=0,c=0;else{let u=o-a;switch(c=h<=.5?u/(o+a):u/(2-o-a),o){case n:l=(s-r)/u+(s<r?6:0);break;case s:l=(r-n)/u+2;break;case r:l=(n-s)/u+4;break}l/=6}return e.h=l,e.s=c,e.l=h,e}getRGB(e,t=pt.workingColorSpace){return pt.workingToColorSpace(zn.copy(this),t),e.r=zn.r,e.g=zn.g,e.b=zn.b,e}getStyle(e=mi){pt.workingToColorSpace(zn.copy(this),e);let t=zn.r,n=zn.g,s=zn.b;return e!==mi?`color(${e} ${t.toFixed(3)} ${n.toFixed(3)} ${s.toFixed(3)})`:`rgb(${Math.round(t*255)},${Math.round(n*255)},${Math.round(s*255)})`}offsetHSL(e,t,n){return this.getHSL(zs),this.setHSL(zs.h+e,zs.s+t,zs.l+n)}add(e){return this.r+=e.r,this.g+=e.g,this.b+=e.b,this}addColors(e,t){return this.r=e.r+t.r,this.g=e.g+t.g,this.b=e.b+t.b,this}addScalar(e){return this.r+=e,this.g+=e,this.b+=e,this}sub(e){return this.r=Math.max(0,this.r-e.r),this.g=Math.max(0,this.g-e.g),this.b=Math.max(0,this.b-e.b),this}multiply(e){return this.r*=e.r,this.g*=e.g,this.b*=e.b,this}multiplyScalar(e){return this.r*=e,this.g*=e,this.b*=e,this}lerp(e,t){return this.r+=(e.r-this.r)*t,this.g+=(e.g-this.g)*t,this.b+=(e.b-this.b)*t,this}lerpColors(e,t,n){return this.r=e.r+(t.r-e.r)*n,this.g=e.g+(t.g-e.g)*n,this.b=e.b+(t.b-e.b)*n,this}lerpHSL(e,t){this.getHSL(zs),e.getHSL(Wl);let n=pa(zs.h,Wl.h,t),s=pa(zs.s,Wl.s,t),r=pa(zs.l,Wl.l,t);return this.setHSL(n,s,r),this}setFromVector3(e){return this.r=e.x,this.g=e.y,this.b=e.z,this}applyMatrix3(e){let t=this.r,n=this.g,s=this.b,r=e.elements;return this.r=r[0]*t+r[3]*n+r[6]*s,this.g=r[1]*t+r[4]*n+r[7]*s,this.b=r[2]*t+r[5]*n+r[8]*s,this}equals(e){return e.r===this.r&&e.g===this.g&&e.b===this.b}fromArray(e,t=0){return this.r=e[t],this.g=e[t+1],this.b=e[t+2],this}toArray(e=[],t=0){return e[t]=this.r,e[t+1]=this.g,e[t+2]=this.b,e}fromBufferAttribute(e,t){return this.r=e.getX(t),this.g=e.getY(t),this.b=e.getZ(t),this}toJSON(){return this.getHex()}*[Symbol.iterator](){yield this.r,yield this.g,yield this.b}},zn=new Je;Je.NAMES=g1;var Sa=class extends ni{constructor(){super(),this.isScene=!0,this.type="Scene",this.background=null,this.environment=null,this.fog=null,this.backgroundBlurriness=0,this.backgroundIntensity=1,this.backgroundRotation=new Xs,this.environmentIntensity=1,this.environmentRotation=new Xs,this.overrideMaterial=null,typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}copy(e,t){return super.copy(e,t),this.background=e.background!==null?e.background.clone():null,this.environment=e.environment!==null?e.environment.clone():null,this.fog=e.fog!==null?e.fog.clone():null,this.backgroundBlurriness=e.backgroundBlurriness,this.backgroundIntensity=e.backgroundIntensity,this.backgroundRotation.copy(e.backgroundRotation),this.environmentIntensity=e.environmentIntensity,this.environmentRotation.copy(e.environmentRotation),this.overrideMaterial=e.overrideMaterial!==null?e.overrideMaterial.clone():null,this.matrixAutoUpdate=e.matrixAutoUpdate,this}toJSON(e){let t=super.toJSON(e);return this.fog!==null&&(t.object.fog=this.fog.toJSON()),t.object.backgroundBlurriness=this.backgroundBlurriness,t.object.backgroundIntensity=this.backgroundIntensity,t.object.backgroundRotation=this.backgroundRotation.toArray(),t.object.environmentIntensity=this.environmentIntensity,t.object.environmentRotation=this.environmentRotation.toArray(),t}},Oi=new V,ys=new V,yd=new V,xs=new V,oo=new V,ao=new V,m0=new V,xd=new V,vd=new V,bd=new V,Sd=new Lt,Md=new Lt,wd=new Lt,Ws=class i{constructor(e=new V,t=new V,n=new V){this.a=e,this.b=t,this.c=n}static getNormal(e,t,n,s){s.subVectors(n,t),Oi.subVectors(e,t),s.cross(Oi);let r=s.lengthSq();return r>0?s.multiplyScalar(1/Math.sqrt(r)):s.set(0,0,0)}static getBarycoord(e,t,n,s,r){Oi.subVectors(s,t),ys.subVectors(n,t),yd.subVectors(e,t);let o=Oi.dot(Oi),a=Oi.dot(ys),l=Oi.dot(yd),c=ys.dot(ys),h=ys.dot(yd),u=o*c-a*a;if(u===0)return r.set(0,0,0),null;let d=1/u,f=(c*l-a*h)*d,m=(o*h-a*l)*d;return r.set(1-f-m,m,f)}static containsPoint(e,t,n,s){return this.getBarycoord(e,t,n,s,xs)===null?!1:xs.x>=0&&xs.y>=0&&xs.x+xs.y<=1}static getInterpolation(e,t,n,s,r,o,a,l){return this.getBarycoord(e,t,n,s,xs)===null?(l.x=0,l.y=0,"z"in l&&(l.z=0),"w"in l&&(l.w=0),null):(l.setScalar(0),l.addScaledVector(r,xs.x),l.addScaledVector(o,xs.y),l.addScaledVector(a,xs.z),l)}static getInterpolatedAttribute(e,t,n,s,r,o){return Sd.setScalar(0),Md.setScalar(0),wd.setScalar(0),Sd.fromBufferAttribute(e,t),Md.fromBufferAttribute(e,n),wd.fromBufferAttribute(e,s),o.setScalar(0),o.addScaledVector(Sd,r.x),o.addScaledVector(Md,r.y),o.addScaledVector(wd,r.z),o}static isFrontFacing(e,t,n,s){return Oi.subVectors(n,t),ys.subVectors(e,t),Oi.cross(ys).dot(s)<0}set(e,t,n){return this.a.copy(e),this.b.copy(t),this.c.copy(n),this}setFromPointsAndIndices(e,t,n,s){return this.a.copy(e[t]),this.b.copy(e[n]),this.c.copy(e[s]),this}setFromAttributeAndIndices(e,t,n,s){return this.a.fromBufferAttribute(e,t),this.b.fromBufferAttribute(e,n),this.c.fromBufferAttribute(e,s),this}clone(){return new this.constructor().copy(this)}copy(e){return this.a.copy(e.a),this.b.copy(e.b),this.c.copy(e.c),this}getArea(){return Oi.subVectors(this.c,this.b),ys.subVectors(this.a,this.b),Oi.cross(ys).length()*.5}getMidpoint(e){return e.addVectors(this.a,this.b).add(this.c).multiplyScalar(1/3)}getNormal(e){return i.getNormal(this.a,this.b,this.c,e)}getPlane(e){return e.setFromCoplanarPoints(this.a,this.b,this.c)}getBarycoord(e,t){return i.getBarycoord(e,this.a,this.b,this.c,t)}getInterpolation(e,t,n,s,r){return i.getInterpolation(e,this.a,this.b,this.c,t,n,s,r)}containsPoint(e){return i.containsPoint(e,this.a,this.b,this.c)}isFrontFacing(e){return i.isFrontFacing(this.a,this.b,this.c,e)}intersectsBox(e){return e.intersectsTriangle(this)}closestPointToPoint(e,t){let n=this.a,s=this.b,r=this.c,o,a;oo.subVectors(s,n),ao.subVectors(r,n),xd.subVectors(e,n);let l=oo.dot(xd),c=ao.dot(xd);if(l<=0&&c<=0)return t.copy(n);vd.subVectors(e,s);let h=oo.dot(vd),u=ao.dot(vd);if(h>=0&&u<=h)return t.copy(s);let d=l*u-h*c;if(d<=0&&l>=0&&h<=0&&l-h>0)return o=l/(l-h),t.copy(n).addScaledVector(oo,o);bd.subVectors(e,r);let f=oo.dot(bd),m=ao.dot(bd);if(m>=0&&f<=m)return t.copy(r);let x=f*c-l*m;if(x<=0&&c>=0&&m<=0)return a=c/(c-m),t.copy(n).addScaledVector(ao,a);let g=h*m-f*u;if(g<=0&&u-h>=0&&f-m>=0)return m0.subVectors(r,s),a=(u-h)/(u-h+(f-m)),t.copy(s).addScaledVector(m0,a);let p=1/(g+x+d);return o=x*p,a=d*p,t.copy(n).addScaledVector(oo,o).addScaledVector(ao,a)}equals(e){return e.a.equals(this.a)&&e.b.equals(this.b)&&e.c.equals(this.c)}},xi=class{constructor(e=new V(1/0,1/0,1/0),t=new V(-1/0,-1/0,-1/0)){this.isBox3=!0,this.min=e,this.max=t}set(e,t){return this.min.copy(e),this.max.copy(t),this}setFromArray(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t+=3)this.expandByPoint(ki.fromArray(e,t));return this}setFromBufferAttribute(e){this.makeEmpty();for(let t=0,n=e.count;t<n;t++)this.expandByPoint(ki.fromBufferAttribute(e,t));return this}setFromPoints(e){this.makeEmpty();for(let t=0,n=e.length;t<n;t++)this.expandByPoint(e[t]);return this}setFromCenterAndSize(e,t){let n=ki.copy(t).multiplyScalar(.5);return this.min.copy(e).sub(n),this.max.copy(e).add(n),this}setFromObject(e,t=!1){return this.makeEmpty(),this.expandByObject(e,t)}clone(){return new this.constructor().copy(this)}copy(e){return this.min.copy(e.min),this.max.copy(e.max),this}makeEmpty(){return this.min.x=this.min.y=this.min.z=1/0,this.max.x=this.max.y=this.max.z=-1/0,this}isEmpty(){return this.max.x<this.min.x||this.max.y<this.min.y||this.max.z<this.min.z}getCenter(e){return this.isEmpty()?e.set(0,0,0):e.addVectors(this.min,this.max).multiplyScalar(.5)}getSize(e){return this.isEmpty()?e.set(0,0,0):e.subVectors(this.max,this.min)}expandByPoint(e){return this.min.min(e),this.max.max(e),this}expandByVector(e){return this.min.sub(e),this.max.add(e),this}expandByScalar(e){return this.min.addScalar(-e),this.max.addScalar(e),this}expandByObject(e,t=!1){e.updateWorldMatrix(!1,!1);let n=e.geometry;if(n!==void 0){let r=n.getAttribute("position");if(t===!0&&r!==void 0&&e.isInstancedMesh!==!0&&e.isBatchedMesh!==!0)for(let o=0,a=r.count;o<a;o++)e.isMesh===!0?e.getVertexPosition(o,ki):ki.fromBufferAttribute(r,o),ki.applyMatrix4(e.matrixWorld),this.expandByPoint(ki);else e.boundingBox!==void 0?(e.boundingBox===null&&e.computeBoundingBox(),Xl.copy(e.boundingBox)):(n.boundingBox===null&&n.computeBoundingBox(),Xl.copy(n.boundingBox)),Xl.applyMatrix4(e.matrixWorld),this.union(Xl)}let s=e.children;for(let r=0,o=s.length;r<o;r++)this.expandByObject(s[r],t);return this}containsPoint(e){return e.x>=this.min.x&&e.x<=this.max.x&&e.y>=this.min.y&&e.y<=this.max.y&&e.z>=this.min.z&&e.z<=this.max.z}containsBox(e){return this.min.x<=e.min.x&&e.max.x<=this.max.x&&this.min.y<=e.min.y&&e.max.y<=this.max.y&&this.min.z<=e.min.z&&e.max.z<=this.max.z}getParameter(e,t){return t.set((e.x-this.min.x)/(this.max.x-this.min.x),(e.y-this.min.y)/(this.max.y-this.min.y),(e.z-this.min.z)/(this.max.z-this.min.z))}intersectsBox(e){return e.max.x>=this.min.x&&e.min.x<=this.max.x&&e.max.y>=this.min.y&&e.min.y<=this.max.y&&e.max.z>=this.min.z&&e.min.z<=this.max.z}intersectsSphere(e){return this.clampPoint(e.center,ki),ki.distanceToSquared(e.center)<=e.radius*e.radius}intersectsPlane(e){let t,n;return e.normal.x>0?(t=e.normal.x*this.min.x,n=e.normal.x*this.max.x):(t=e.normal.x*this.max.x,n=e.normal.x*this.min.x),e.normal.y>0?(t+=e.normal.y*this.min.y,n+=e.normal.y*this.max.y):(t+=e.normal.y*this.max.y,n+=e.normal.y*this.min.y),e.normal.z>0?(t+=e.normal.z*this.min.z,n+=e.normal.z*this.max.z):(t+=e.normal.z*this.max.z,n+=e.normal.z*this.min.z),t<=-e.constant&&n>=-e.constant}intersectsTriangle(e){if(this.isEmpty())return!1;this.getCenter(la),ql.subVectors(this.max,la),lo.subVectors(e.a,la),co.subVectors(e.b,la),ho.subVectors(e.c,la),Vs.subVectors(co,lo),Gs.subVectors(ho,co),_r.subVectors(lo,ho);let t=[0,-Vs.z,Vs.y,0,-Gs.z,Gs.y,0,-_r.z,_r.y,Vs.z,0,-Vs.x,Gs.z,0,-Gs.x,_r.z,0,-_r.x,-Vs.y,Vs.x,0,-Gs.y,Gs.x,0,-_r.y,_r.x,0];return!Ed(t,lo,co,ho,ql)||(t=[1,0,0,0,1,0,0,0,1],!Ed(t,lo,co,ho,ql))?!1:($l.crossVectors(Vs,Gs),t=[$l.x,$l.y,$l.z],Ed(t,lo,co,ho,ql))}clampPoint(e,t){return t.copy(e).clamp(this.min,this.max)}distanceToPoint(e){return this.clampPoint(e,ki).distanceTo(e)}getBoundingSphere(e){return this.isEmpty()?e.makeEmpty():(this.getCenter(e.center),e.radius=this.getSize(ki).length()*.5),e}intersect(e){return this.min.max(e.min),this.max.min(e.max),this.isEmpty()&&this.makeEmpty(),this}union(e){return this.min.min(e.min),this.max.max(e.max),this}applyMatrix4(e){return this.isEmpty()?this:(vs[0].set(this.min.x,this.min.y,this.min.z).applyMatrix4(e),vs[1].set(this.min.x,this.min.y,this.max.z).applyMatrix4(e),vs[2].set(this.min.x,this.max.y,this.min.z).applyMatrix4(e),vs[3].set(this.min.x,this.max.y,this.max.z).applyMatrix4(e),vs[4].set(this.max.x,this.min.y,this.min.z).applyMatrix4(e),vs[5].set(this.max.x,this.min.y,this.max.z).applyMatrix4(e),vs[6].set(this.max.x,this.max.y,this.min.z).applyMatrix4(e),vs[7].set(this.max.x,this.max.y,this.max.z).applyMatrix4(e),this.setFromPoints(vs),this)}translate(e){return this.min.add(e),this.max.add(e),this}equals(e){return e.min.equals(this.min)&&e.max.equals(this.max)}toJSON(){return{min:this.min.toArray(),max:this.max.toArray()}}fromJSON(e){return this.min.fromArray(e.min),this.max.fromArray(e.max),this}},vs=[new V,new V,new V,new V,new V,new V,new V,new V],ki=new V,Xl=new xi,lo=new V,co=new V,ho=new V,Vs=new V,Gs=new V,_r=new V,la=new V,ql=new V,$l=new V,yr=new V;function Ed(i,e,t,n,s){for(let r=0,o=i.length-3;r<=o;r+=3){yr.fromArray(i,r);let a=s.x*Math.abs(yr.x)+s.y*Math.abs(yr.y)+s.z*Math.abs(yr.z),l=e.dot(yr),c=t.dot(yr),h=n.dot(yr);if(Math.max(-Math.max(l,c,h),Math.min(l,c,h))>a)return!1}return!0}var pn=new V,Yl=new et,B2=0,Nn=class extends Bi{constructor(e,t,n=!1){if(super(),Array.isArray(e))throw new TypeError("THREE.BufferAttribute: array should be a Typed Array.");this.isBufferAttribute=!0,Object.defineProperty(this,"id",{value:B2++}),this.name="",this.array=e,this.itemSize=t,this.count=e!==void 0?e.length/t:0,this.normalized=n,this.usage=ff,this.updateRanges=[],this.gpuType=Vi,this.version=0,this._normalizationScale=e!==void 0?Oh(e):void 0}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.name=e.name,this.array=new e.array.constructor(e.array),this.itemSize=e.itemSize,this.count=e.count,this.normalized=e.normalized,this.usage=e.usage,this.gpuType=e.gpuType,this._normalizationScale=e._normalizationScale,this}copyAt(e,t,n){e*=this.itemSize,n*=t.itemSize;for(let s=0,r=this.itemSize;s<r;s++)this.array[e+s]=t.array[n+s];return this}copyArray(e){return this.array.set(e),this}applyMatrix3(e){if(this.itemSize===2)for(let t=0,n=this.count;t<n;t++)Yl.fromBufferAttribute(this,t),Yl.applyMatrix3(e),this.setXY(t,Yl.x,Yl.y);else if(this.itemSize===3)for(let t=0,n=this.count;t<n;t++)pn.fromBufferAttribute(this,t),pn.applyMatrix3(e),this.setXYZ(t,pn.x,pn.y,pn.z);return this}applyMatrix4(e){for(let t=0,n=this.count;t<n;t++)pn.fromBufferAttribute(this,t),pn.applyMatrix4(e),this.setXYZ(t,pn.x,pn.y,pn.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)pn.fromBufferAttribute(this,t),pn.applyNormalMatrix(e),this.setXYZ(t,pn.x,pn.y,pn.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)pn.fromBufferAttribute(this,t),pn.transformDirection(e),this.setXYZ(t,pn.x,pn.y,pn.z);return this}set(e,t=0){return this.array.set(e,t),this}getComponent(e,t){let n=this.array[e*this.itemSize+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.array[e*this.itemSize+t]=n,this}getX(e){let t=this.array[e*this.itemSize];return this.normalized&&(t=this._denormalize(t)),t}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize]=t,this}getY(e){let t=this.array[e*this.itemSize+1];return this.normalized&&(t=this._denormalize(t)),t}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+1]=t,this}getZ(e){let t=this.array[e*this.itemSize+2];return this.normalized&&(t=this._denormalize(t)),t}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+2]=t,this}getW(e){let t=this.array[e*this.itemSize+3];return this.normalized&&(t=this._denormalize(t)),t}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.array[e*this.itemSize+3]=t,this}setXY(e,t,n){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.array[e+0]=t,this.array[e+1]=n,this}setXYZ(e,t,n,s){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e*=this.itemSize,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.array[e+0]=t,this.array[e+1]=n,this.array[e+2]=s,this.array[e+3]=r,this}onUpload(e){return this.onUploadCallback=e,this}clone(){return new this.constructor(this.array,this.itemSize).copy(this)}toJSON(){let e={itemSize:this.itemSize,type:this.array.constructor.name,array:Array.from(this.array),normalized:this.normalized};return e.name=this.name,e.usage=this.usage,e.gpuType=this.gpuType,e}dispose(){this.dispatchEvent({type:"dispose"})}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):_f(e,this.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):yf(e,this.array)}};var Ma=class extends Nn{constructor(e,t,n){super(new Uint16Array(e),t,n)}};var wa=class extends Nn{constructor(e,t,n){super(new Uint32Array(e),t,n)}};var rn=class extends Nn{constructor(e,t,n){super(new Float32Array(e),t,n)}},z2=new xi,ca=new V,Td=new V,Ri=class{constructor(e=new V,t=-1){this.isSphere=!0,this.center=e,this.radius=t}set(e,t){return this.center.copy(e),this.radius=t,this}setFromPoints(e,t){let n=this.center;t!==void 0?n.copy(t):z2.setFromPoints(e).getCenter(n);let s=0;for(let r=0,o=e.length;r<o;r++)s=Math.max(s,n.distanceToSquared(e[r]));return this.radius=Math.sqrt(s),this}copy(e){return this.center.copy(e.center),this.radius=e.radius,this}isEmpty(){return this.radius<0}makeEmpty(){return this.center.set(0,0,0),this.radius=-1,this}containsPoint(e){return e.distanceToSquared(this.center)<=this.radius*this.radius}distanceToPoint(e){return e.distanceTo(this.center)-this.radius}intersectsSphere(e){let t=this.radius+e.radius;return e.center.distanceToSquared(this.center)<=t*t}intersectsBox(e){return e.intersectsSphere(this)}intersectsPlane(e){return Math.abs(e.distanceToPoint(this.center))<=this.radius}clampPoint(e,t){let n=this.center.distanceToSquared(e);return t.copy(e),n>this.radius*this.radius&&(t.sub(this.center).normalize(),t.multiplyScalar(this.radius).add(this.center)),t}getBoundingBox(e){return this.isEmpty()?(e.makeEmpty(),e):(e.set(this.center,this.center),e.expandByScalar(this.radius),e)}applyMatrix4(e){return this.center.applyMatrix4(e),this.radius=this.radius*e.getMaxScaleOnAxis(),this}translate(e){return this.center.add(e),this}expandByPoint(e){if(this.isEmpty())return this.center.copy(e),this.radius=0,this;ca.subVectors(e,this.center);let t=ca.lengthSq();if(t>this.radius*this.radius){let n=Math.sqrt(t),s=(n-this.radius)*.5;this.center.addScaledVector(ca,s/n),this.radius+=s}return this}union(e){return e.isEmpty()?this:this.isEmpty()?(this.copy(e),this):(this.center.equals(e.center)===!0?this.radius=Math.max(this.radius,e.radius):(Td.subVectors(e.center,this.center).setLength(e.radius),this.expandByPoint(ca.copy(e.center).add(Td)),this.expandByPoint(ca.copy(e.center).sub(Td))),this)}equals(e){return e.center.equals(this.center)&&e.radius===this.radius}clone(){return new this.constructor().copy(this)}toJSON(){return{radius:this.radius,center:this.center.toArray()}}fromJSON(e){return this.radius=e.radius,this.center.fromArray(e.center),this}},V2=0,Ti=new Bt,Ad=new ni,uo=new V,pi=new xi,ha=new xi,Rn=new V,tn=class i extends Bi{constructor(){super(),this.isBufferGeometry=!0,Object.defineProperty(this,"id",{value:V2++}),this.uuid=tr(),this.name="",this.type="BufferGeometry",this.index=null,this.indirect=null,this.indirectOffset=0,this.attributes={},this.morphAttributes={},this.morphTargetsRelative=!1,this.groups=[],this.boundingBox=null,this.boundingSphere=null,this.drawRange={start:0,count:1/0},this.userData={},this._transformed=!1}getIndex(){return this.index}setIndex(e){return Array.isArray(e)?this.index=new(d2(e)?wa:Ma)(e,1):this.index=e,this}setIndirect(e,t=0){return this.indirect=e,this.indirectOffset=t,this}getIndirect(){return this.indirect}getAttribute(e){return this.attributes[e]}setAttribute(e,t){return this.attributes[e]=t,this}deleteAttribute(e){return delete this.attributes[e],this}hasAttribute(e){return this.attributes[e]!==void 0}addGroup(e,t,n=0){this.groups.push({start:e,count:t,materialIndex:n})}clearGroups(){this.groups=[]}setDrawRange(e,t){this.drawRange.start=e,this.drawRange.count=t}applyMatrix4(e){let t=this.attributes.position;t!==void 0&&(t.applyMatrix4(e),t.needsUpdate=!0);let n=this.attributes.normal;if(n!==void 0){let r=new tt().getNormalMatrix(e);n.applyNormalMatrix(r),n.needsUpdate=!0}let s=this.attributes.tangent;return s!==void 0&&(s.transformDirection(e),s.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this._transformed=!0,this}applyQuaternion(e){return Ti.makeRotationFromQuaternion(e),this.applyMatrix4(Ti),this}rotateX(e){return Ti.makeRotationX(e),this.applyMatrix4(Ti),this}rotateY(e){return Ti.makeRotationY(e),this.applyMatrix4(Ti),this}rotateZ(e){return Ti.makeRotationZ(e),this.applyMatrix4(Ti),this}translate(e,t,n){return Ti.makeTranslation(e,t,n),this.applyMatrix4(Ti),this}scale(e,t,n){return Ti.makeScale(e,t,n),this.applyMatrix4(Ti),this}lookAt(e){return Ad.lookAt(e),Ad.updateMatrix(),this.applyMatrix4(Ad.matrix),this}center(){return this.computeBoundingBox(),this.boundingBox.getCenter(uo).negate(),this.translate(uo.x,uo.y,uo.z),this}setFromPoints(e){let t=this.getAttribute("position");if(t===void 0){let n=[];for(let s=0,r=e.length;s<r;s++){let o=e[s];n.push(o.x,o.y,o.z||0)}this.setAttribute("position",new rn(n,3))}else{let n=Math.min(e.length,t.count);for(let s=0;s<n;s++){let r=e[s];t.setXYZ(s,r.x,r.y,r.z||0)}e.length>t.count&&qe("BufferGeometry: Buffer size too small for points data. Use .dispose() and create a new geometry."),t.needsUpdate=!0}return this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new xi);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){Qe("BufferGeometry.computeBoundingBox(): GLBufferAttribute requires a manual bounding box.",this),this.boundingBox.set(new V(-1/0,-1/0,-1/0),new V(1/0,1/0,1/0));return}if(e!==void 0){if(this.boundingBox.setFromBufferAttribute(e),t)for(let n=0,s=t.length;n<s;n++){let r=t[n];pi.setFromBufferAttribute(r),this.morphTargetsRelative?(Rn.addVectors(this.boundingBox.min,pi.min),this.boundingBox.expandByPoint(Rn),Rn.addVectors(this.boundingBox.max,pi.max),this.boundingBox.expandByPoint(Rn)):(this.boundingBox.expandByPoint(pi.min),this.boundingBox.expandByPoint(pi.max))}}else this.boundingBox.makeEmpty();(isNaN(this.boundingBox.min.x)||isNaN(this.boundingBox.min.y)||isNaN(this.boundingBox.min.z))&&Qe('BufferGeometry.computeBoundingBox(): Computed min/max have NaN values. The "position" attribute is likely to have NaN values.',this)}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Ri);let e=this.attributes.position,t=this.morphAttributes.position;if(e&&e.isGLBufferAttribute){Qe("BufferGeometry.computeBoundingSphere(): GLBufferAttribute requires a manual bounding sphere.",this),this.boundingSphere.set(new V,1/0);return}if(e){let n=this.boundingSphere.center;if(pi.setFromBufferAttribute(e),t)for(let r=0,o=t.length;r<o;r++){let a=t[r];ha.setFromBufferAttribute(a),this.morphTargetsRelative?(Rn.addVectors(pi.min,ha.min),pi.expandByPoint(Rn),Rn.addVectors(pi.max,ha.max),pi.expandByPoint(Rn)):(pi.expandByPoint(ha.min),pi.expandByPoint(ha.max))}pi.getCenter(n);let s=0;for(let r=0,o=e.count;r<o;r++)Rn.fromBufferAttribute(e,r),s=Math.max(s,n.distanceToSquared(Rn));if(t)for(let r=0,o=t.length;r<o;r++){let a=t[r],l=this.morphTargetsRelative;for(let c=0,h=a.count;c<h;c++)Rn.fromBufferAttribute(a,c),l&&(uo.fromBufferAttribute(e,c),Rn.add(uo)),s=Math.max(s,n.distanceToSquared(Rn))}this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&Qe('BufferGeometry.computeBoundingSphere(): Computed radius is NaN. The "position" attribute is likely to have NaN values.',this)}}computeTangents(){let e=this.index,t=this.attributes;if(e===null||t.position===void 0||t.normal===void 0||t.uv===void 0){Qe("BufferGeometry: .computeTangents() failed. Missing required attributes (index, position, normal or uv)");return}let n=t.position,s=t.normal,r=t.uv,o=this.getAttribute("tangent");(o===void 0||o.count!==n.count)&&(o=new Nn(new Float32Array(4*n.count),4),this.setAttribute("tangent",o));let a=[],l=[],c=new Uint8Array(n.count);for(let z=0;z<n.count;z++)a[z]=new V,l[z]=new V;let h=new V,u=new V,d=new V,f=new et,m=new et,x=new et,g=new V,p=new V;function b(z,N,L){c[z]=c[N]=c[L]=1,h.fromBufferAttribute(n,z),u.fromBufferAttribute(n,N),d.fromBufferAttribute(n,L),f.fromBufferAttribute(r,z),m.fromBufferAttribute(r,N),x.fromBufferAttribute(r,L),u.sub(h),d.sub(h),m.sub(f),x.sub(f);let H=1/(m.x*x.y-x.x*m.y);isFinite(H)&&(g.copy(u).multiplyScalar(x.y).addScaledVector(d,-m.y).multiplyScalar(H),p.copy(d).multiplyScalar(m.x).addScaledVector(u,-x.x).multiplyScalar(H),a[z].add(g),a[N].add(g),a[L].add(g),l[z].add(p),l[N].add(p),l[L].add(p))}let A=this.groups;A.length===0&&(A=[{start:0,count:e.count}]);for(let z=0,N=A.length;z<N;++z){let L=A[z],H=L.start,W=L.count;for(let D=H,G=H+W;D<G;D+=3)b(e.getX(D+0),e.getX(D+1),e.getX(D+2))}let w=new V,P=new V,T=new V,y=new V;function E(z){T.fromBufferAttribute(s,z),y.copy(T);let N=a[z];w.copy(N),w.sub(T.multiplyScalar(T.dot(N))).normalize(),P.crossVectors(y,N);let H=P.dot(l[z])<0?-1:1;o.setXYZW(z,w.x,w.y,w.z,H)}for(let z=0,N=n.count;z<N;++z)c[z]&&E(z);this._transformed=!0}computeVertexNormals(){let e=this.index,t=this.getAttribute("position");if(t!==void 0){let n=this.getAttribute("normal");if(n===void 0||n.count!==t.count)n=new Nn(new Float32Array(t.count*3),3),this.setAttribute("normal",n);else for(let d=0,f=n.count;d<f;d++)n.setXYZ(d,0,0,0);let s=new V,r=new V,o=new V,a=new V,l=new V,c=new V,h=new V,u=new V;if(e)for(let d=0,f=e.count;d<f;d+=3){let m=e.getX(d+0),x=e.getX(d+1),g=e.getX(d+2);s.fromBufferAttribute(t,m),r.fromBufferAttribute(t,x),o.fromBufferAttribute(t,g),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),a.fromBufferAttribute(n,m),l.fromBufferAttribute(n,x),c.fromBufferAttribute(n,g),a.add(h),l.add(h),c.add(h),n.setXYZ(m,a.x,a.y,a.z),n.setXYZ(x,l.x,l.y,l.z),n.setXYZ(g,c.x,c.y,c.z)}else for(let d=0,f=t.count;d<f;d+=3)s.fromBufferAttribute(t,d+0),r.fromBufferAttribute(t,d+1),o.fromBufferAttribute(t,d+2),h.subVectors(o,r),u.subVectors(s,r),h.cross(u),n.setXYZ(d+0,h.x,h.y,h.z),n.setXYZ(d+1,h.x,h.y,h.z),n.setXYZ(d+2,h.x,h.y,h.z);this.normalizeNormals(),n.needsUpdate=!0}}normalizeNormals(){let e=this.attributes.normal;for(let t=0,n=e.count;t<n;t++)Rn.fromBufferAttribute(e,t),Rn.normalize(),e.setXYZ(t,Rn.x,Rn.y,Rn.z)}toNonIndexed(){function e(a,l){let c=a.array,h=a.itemSize,u=a.normalized,d=new c.constructor(l.length*h),f=0,m=0;for(let x=0,g=l.length;x<g;x++){a.isInterleavedBufferAttribute?f=l[x]*a.data.stride+a.offset:f=l[x]*h;for(let p=0;p<h;p++)d[m++]=c[f++]}return new Nn(d,h,u)}if(this.index===null)return qe("BufferGeometry.toNonIndexed(): BufferGeometry is already non-indexed."),this;let t=new i,n=this.index.array,s=this.attributes;for(let a in s){let l=s[a],c=e(l,n);t.setAttribute(a,c)}let r=this.morphAttributes;for(let a in r){let l=[],c=r[a];for(let h=0,u=c.length;h<u;h++){let d=c[h],f=e(d,n);l.push(f)}t.morphAttributes[a]=l}t.morphTargetsRelative=this.morphTargetsRelative;let o=this.groups;for(let a=0,l=o.length;a<l;a++){let c=o[a];t.addGroup(c.start,c.count,c.materialIndex)}return t}toJSON(){let e={metadata:{version:4.7,type:"BufferGeometry",generator:"BufferGeometry.toJSON"}};if(e.uuid=this.uuid,e.type=this.parameters!==void 0&&this._transformed===!0?"BufferGeometry":this.type,e.name=this.name,Object.keys(this.userData).length>0&&(e.userData=this.userData),this.parameters!==void 0&&this._transformed!==!0){let l=this.parameters;for(let c in l)l[c]!==void 0&&(e[c]=l[c]);return e}e.data={attributes:{}};let t=this.index;t!==null&&(e.data.index={type:t.array.constructor.name,array:Array.prototype.slice.call(t.array)});let n=this.attributes;for(let l in n){let c=n[l];e.data.attributes[l]=c.toJSON(e.data)}let s={},r=!1;for(let l in this.morphAttributes){let c=this.morphAttributes[l],h=[];for(let u=0,d=c.length;u<d;u++){let f=c[u];h.push(f.toJSON(e.data))}h.length>0&&(s[l]=h,r=!0)}r&&(e.data.morphAttributes=s,e.data.morphTargetsRelative=this.morphTargetsRelative);let o=this.groups;o.length>0&&(e.data.groups=JSON.parse(JSON.stringify(o)));let a=this.boundingSphere;return a!==null&&(e.data.boundingSphere=a.toJSON()),e}clone(){return new this.constructor().copy(this)}copy(e){this.index=null,this.attributes={},this.morphAttributes={},this.groups=[],this.boundingBox=null,this.boundingSphere=null;let t={};this.name=e.name;let n=e.index;n!==null&&this.setIndex(n.clone());let s=e.attributes;for(let c in s){let h=s[c];this.setAttribute(c,h.clone(t))}let r=e.morphAttributes;for(let c in r){let h=[],u=r[c];for(let d=0,f=u.length;d<f;d++)h.push(u[d].clone(t));this.morphAttributes[c]=h}this.morphTargetsRelative=e.morphTargetsRelative;let o=e.groups;for(let c=0,h=o.length;c<h;c++){let u=o[c];this.addGroup(u.start,u.count,u.materialIndex)}let a=e.boundingBox;a!==null&&(this.boundingBox=a.clone());let l=e.boundingSphere;return l!==null&&(this.boundingSphere=l.clone()),this.drawRange.start=e.drawRange.start,this.drawRange.count=e.drawRange.count,this.userData=e.userData,this._transformed=e._transformed,this}dispose(){this.dispatchEvent({type:"dispose"})}},Rc=class{constructor(e,t){this.isInterleavedBuffer=!0,this.array=e,this.stride=t,this.count=e!==void 0?e.length/t:0,this.usage=ff,this.updateRanges=[],this.version=0,this.uuid=tr()}onUploadCallback(){}set needsUpdate(e){e===!0&&this.version++}setUsage(e){return this.usage=e,this}addUpdateRange(e,t){this.updateRanges.push({start:e,count:t})}clearUpdateRanges(){this.updateRanges.length=0}copy(e){return this.array=new e.array.constructor(e.array),this.count=e.count,this.stride=e.stride,this.usage=e.usage,this}copyAt(e,t,n){e*=this.stride,n*=t.stride;for(let s=0,r=this.stride;s<r;s++)this.array[e+s]=t.array[n+s];return this}set(e,t=0){return this.array.set(e,t),this}clone(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=g0(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=this.array.slice(0).buffer);let n=new this.array.constructor(e.arrayBuffers[t]),s=new this.constructor(n,this.stride);return s.setUsage(this.usage),s}onUpload(e){return this.onUploadCallback=e,this}toJSON(e){e.arrayBuffers===void 0&&(e.arrayBuffers={});let t=g0(this.array);e.arrayBuffers[t]===void 0&&(e.arrayBuffers[t]=Array.from(new Uint32Array(this.array.slice(0).buffer)));let n={uuid:this.uuid,buffer:t,type:this.array.constructor.name,stride:this.stride};return n.usage=this.usage,n}};function g0(i){return i.buffer._uuid===void 0&&(i.buffer._uuid=tr()),i.byteOffset===0&&i.byteLength===i.buffer.byteLength?i.buffer._uuid:i.buffer._uuid+":"+i.byteOffset+":"+i.byteLength}var Kn=new V,ii=class i{constructor(e,t,n,s=!1){this.isInterleavedBufferAttribute=!0,this.name="",this.data=e,this.itemSize=t,this.offset=n,this.normalized=s,this._normalizationScale=e!==void 0?Oh(e.array):void 0}get count(){return this.data.count}get array(){return this.data.array}set needsUpdate(e){this.data.needsUpdate=e}applyMatrix4(e){for(let t=0,n=this.data.count;t<n;t++)Kn.fromBufferAttribute(this,t),Kn.applyMatrix4(e),this.setXYZ(t,Kn.x,Kn.y,Kn.z);return this}applyNormalMatrix(e){for(let t=0,n=this.count;t<n;t++)Kn.fromBufferAttribute(this,t),Kn.applyNormalMatrix(e),this.setXYZ(t,Kn.x,Kn.y,Kn.z);return this}transformDirection(e){for(let t=0,n=this.count;t<n;t++)Kn.fromBufferAttribute(this,t),Kn.transformDirection(e),this.setXYZ(t,Kn.x,Kn.y,Kn.z);return this}getComponent(e,t){let n=this.array[e*this.data.stride+this.offset+t];return this.normalized&&(n=this._denormalize(n)),n}setComponent(e,t,n){return this.normalized&&(n=this._normalize(n)),this.data.array[e*this.data.stride+this.offset+t]=n,this}setX(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset]=t,this}setY(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+1]=t,this}setZ(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+2]=t,this}setW(e,t){return this.normalized&&(t=this._normalize(t)),this.data.array[e*this.data.stride+this.offset+3]=t,this}getX(e){let t=this.data.array[e*this.data.stride+this.offset];return this.normalized&&(t=this._denormalize(t)),t}getY(e){let t=this.data.array[e*this.data.stride+this.offset+1];return this.normalized&&(t=this._denormalize(t)),t}getZ(e){let t=this.data.array[e*this.data.stride+this.offset+2];return this.normalized&&(t=this._denormalize(t)),t}getW(e){let t=this.data.array[e*this.data.stride+this.offset+3];return this.normalized&&(t=this._denormalize(t)),t}setXY(e,t,n){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n)),this.data.array[e+0]=t,this.data.array[e+1]=n,this}setXYZ(e,t,n,s){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=s,this}setXYZW(e,t,n,s,r){return e=e*this.data.stride+this.offset,this.normalized&&(t=this._normalize(t),n=this._normalize(n),s=this._normalize(s),r=this._normalize(r)),this.data.array[e+0]=t,this.data.array[e+1]=n,this.data.array[e+2]=s,this.data.array[e+3]=r,this}clone(e){if(e===void 0){xa("InterleavedBufferAttribute.clone(): Cloning an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return new Nn(new this.array.constructor(t),this.itemSize,this.normalized)}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.clone(e)),new i(e.interleavedBuffers[this.data.uuid],this.itemSize,this.offset,this.normalized)}toJSON(e){if(e===void 0){xa("InterleavedBufferAttribute.toJSON(): Serializing an interleaved buffer attribute will de-interleave buffer data.");let t=[];for(let n=0;n<this.count;n++){let s=n*this.data.stride+this.offset;for(let r=0;r<this.itemSize;r++)t.push(this.data.array[s+r])}return{itemSize:this.itemSize,type:this.array.constructor.name,array:t,normalized:this.normalized}}else return e.interleavedBuffers===void 0&&(e.interleavedBuffers={}),e.interleavedBuffers[this.data.uuid]===void 0&&(e.interleavedBuffers[this.data.uuid]=this.data.toJSON(e)),{isInterleavedBufferAttribute:!0,itemSize:this.itemSize,data:this.data.uuid,offset:this.offset,normalized:this.normalized}}_denormalize(e){let t=this._normalizationScale;return t!==void 0?Math.max(e/t,-1):_f(e,this.data.array)}_normalize(e){let t=this._normalizationScale;return t!==void 0?Math.round(e*t):yf(e,this.data.array)}},Rd=new V,G2=new V,H2=new tt,gi=class{constructor(e=new V(1,0,0),t=0){this.isPlane=!0,this.normal=e,this.constant=t}set(e,t){return this.normal.copy(e),this.constant=t,this}setComponents(e,t,n,s){return this.normal.set(e,t,n),this.constant=s,this}setFromNormalAndCoplanarPoint(e,t){return this.normal.copy(e),this.constant=-t.dot(this.normal),this}setFromCoplanarPoints(e,t,n){let s=Rd.subVectors(n,t).cross(G2.subVectors(e,t)).normalize();return this.setFromNormalAndCoplanarPoint(s,e),this}copy(e){return this.normal.copy(e.normal),this.constant=e.constant,this}normalize(){let e=1/this.normal.length();return this.normal.multiplyScalar(e),this.constant*=e,this}negate(){return this.constant*=-1,this.normal.negate(),this}distanceToPoint(e){return this.normal.dot(e)+this.constant}distanceToSphere(e){return this.distanceToPoint(e.center)-e.radius}projectPoint(e,t){return t.copy(e).addScaledVector(this.normal,-this.distanceToPoint(e))}intersectLine(e,t,n=!0){let s=e.delta(Rd),r=this.normal.dot(s);if(r===0)return this.distanceToPoint(e.start)===0?t.copy(e.start):null;let o=-(e.start.dot(this.normal)+this.constant)/r;return n===!0&&(o<0||o>1)?null:t.copy(e.start).addScaledVector(s,o)}intersectsLine(e){let t=this.distanceToPoint(e.start),n=this.distanceToPoint(e.end);return t<0&&n>0||n<0&&t>0}intersectsBox(e){return e.intersectsPlane(this)}intersectsSphere(e){return e.intersectsPlane(this)}coplanarPoint(e){return e.copy(this.normal).multiplyScalar(-this.constant)}applyMatrix4(e,t){let n=t||H2.getNormalMatrix(e),s=this.coplanarPoint(Rd).applyMatrix4(e),r=this.normal.applyMatrix3(n).normalize();return this.constant=-s.dot(r),this}translate(e){return this.constant-=e.dot(this.normal),this}equals(e){return e.normal.equals(this.normal)&&e.constant===this.constant}clone(){return new this.constructor().copy(this)}toJSON(){return{normal:this.normal.toArray(),constant:this.constant}}fromJSON(e){return this.normal.fromArray(e.normal),this.constant=e.constant,this}},W2=0,ws=class extends Bi{constructor(){super(),this.isMaterial=!0,Object.defineProperty(this,"id",{value:W2++}),this.uuid=tr(),this.name="",this.type="Material",this.blending=Io,this.side=Qs,this.vertexColors=!1,this.opacity=1,this.transparent=!1,this.alphaHash=!1,this.blendSrc=Wd,this.blendDst=Xd,this.blendEquation=Er,this.blendSrcAlpha=null,this.blendDstAlpha=null,this.blendEquationAlpha=null,this.blendColor=new Je(0,0,0),this.blendAlpha=0,this.depthFunc=xo,this.depthTest=!0,this.depthWrite=!0,this.stencilWriteMask=255,this.stencilFunc=o1,this.stencilRef=0,this.stencilFuncMask=255,this.stencilFail=pc,this.stencilZFail=pc,this.stencilZPass=pc,this.stencilWrite=!1,this.clippingPlanes=null,this.clipIntersection=!1,this.clipShadows=!1,this.shadowSide=null,this.colorWrite=!0,this.precision=null,this.polygonOffset=!1,this.polygonOffsetFactor=0,this.polygonOffsetUnits=0,this.dithering=!1,this.alphaToCoverage=!1,this.premultipliedAlpha=!1,this.forceSinglePass=!1,this.allowOverride=!0,this.visible=!0,this.toneMapped=!0,this.userData={},this.version=0,this._alphaTest=0}get alphaTest(){return this._alphaTest}set alphaTest(e){this._alphaTest>0!=e>0&&this.version++,this._alphaTest=e}onBeforeRender(){}onBeforeCompile(){}customProgramCacheKey(){return this.onBeforeCompile.toString()}setValues(e){if(e!==void 0)for(let t in e){let n=e[t];if(n===void 0){qe(`Material: parameter '${t}' has value of undefined.`);continue}let s=this[t];if(s===void 0){qe(`Material: '${t}' is not a property of THREE.${this.type}.`);continue}s&&s.isColor?s.set(n):s&&s.isVector2&&n&&n.isVector2||s&&s.isEuler&&n&&n.isEuler||s&&s.isVector3&&n&&n.isVector3?s.copy(n):this[t]=n}}toJSON(e){let t=e===void 0||typeof e=="string";t&&(e={textures:{},images:{}});let n={metadata:{version:4.7,type:"Material",generator:"Material.toJSON"}};n.uuid=this.uuid,n.type=this.type,n.blending=this.blending,n.side=this.side,n.shadowSide=this.shadowSide,n.vertexColors=this.vertexColors,n.opacity=this.opacity,n.transparent=this.transparent,n.blendSrc=this.blendSrc,n.blendDst=this.blendDst,n.blendEquation=this.blendEquation,n.blendSrcAlpha=this.blendSrcAlpha,n.blendDstAlpha=this.blendDstAlpha,n.blendEquationAlpha=this.blendEquationAlpha,n.blendColor=this.blendColor.getHex(),n.blendAlpha=this.blendAlpha,n.depthFunc=this.depthFunc,n.depthTest=this.depthTest,n.depthWrite=this.depthWrite,n.colorWrite=this.colorWrite,n.clipIntersection=this.clipIntersection,n.clipShadows=this.clipShadows,n.stencilWriteMask=this.stencilWriteMask,n.stencilFunc=this.stencilFunc,n.stencilRef=this.stencilRef,n.stencilFuncMask=this.stencilFuncMask,n.stencilFail=this.stencilFail,n.stencilZFail=this.stencilZFail,n.stencilZPass=this.stencilZPass,n.stencilWrite=this.stencilWrite,n.polygonOffset=this.polygonOffset,n.polygonOffsetFactor=this.polygonOffsetFactor,n.polygonOffsetUnits=this.polygonOffsetUnits,n.dithering=this.dithering,n.alphaTest=this.alphaTest,n.alphaHash=this.alphaHash,n.alphaToCoverage=this.alphaToCoverage,n.premultipliedAlpha=this.premultipliedAlpha,n.forceSinglePass=this.forceSinglePass,n.allowOverride=this.allowOverride,n.visible=this.visible,n.toneMapped=this.toneMapped,n.name=this.name,this.color&&this.color.isColor&&(n.color=this.color.getHex()),this.roughness!==void 0&&(n.roughness=this.roughness),this.metalness!==void 0&&(n.metalness=this.metalness),this.sheen!==void 0&&(n.sheen=this.sheen),this.sheenColor&&this.sheenColor.isColor&&(n.sheenColor=this.sheenColor.getHex()),this.sheenRoughness!==void 0&&(n.sheenRoughness=this.sheenRoughness),this.emissive&&this.emissive.isColor&&(n.emissive=this.emissive.getHex()),this.emissiveIntensity!==void 0&&(n.emissiveIntensity=this.emissiveIntensity),this.specular&&this.specular.isColor&&(n.specular=this.specular.getHex()),this.specularIntensity!==void 0&&(n.specularIntensity=this.specularIntensity),this.specularColor&&this.specularColor.isColor&&(n.specularColor=this.specularColor.getHex()),this.shininess!==void 0&&(n.shininess=this.shininess),this.clearcoat!==void 0&&(n.clearcoat=this.clearcoat),this.clearcoatRoughness!==void 0&&(n.clearcoatRoughness=this.clearcoatRoughness),this.diffuseRoughness!==void 0&&(n.diffuseRoughness=this.diffuseRoughness),this.diffuseRoughnessMap&&this.diffuseRoughnessMap.isTexture&&(n.diffuseRoughnessMap=this.diffuseRoughnessMap.toJSON(e).uuid),this.clearcoatMap&&this.clearcoatMap.isTexture&&(n.clearcoatMap=this.clearcoatMap.toJSON(e).uuid),this.clearcoatRoughnessMap&&this.clearcoatRoughnessMap.isTexture&&(n.clearcoatRoughnessMap=this.clearcoatRoughnessMap.toJSON(e).uuid),this.clearcoatNormalMap&&this.clearcoatNormalMap.isTexture&&(n.clearcoatNormalMap=this.clearcoatNormalMap.toJSON(e).uuid,n.clearcoatNormalScale=this.clearcoatNormalScale.toArray()),this.sheenColorMap&&this.sheenColorMap.isTexture&&(n.sheenColorMap=this.sheenColorMap.toJSON(e).uuid),this.sheenRoughnessMap&&this.sheenRoughnessMap.isTexture&&(n.sheenRoughnessMap=this.sheenRoughnessMap.toJSON(e).uuid),this.dispersion!==void 0&&(n.dispersion=this.dispersion),this.retroreflectivity!==void 0&&(n.retroreflectivity=this.retroreflectivity),this.iridescence!==void 0&&(n.iridescence=this.iridescence),this.iridescenceIOR!==void 0&&(n.iridescenceIOR=this.iridescenceIOR),this.iridescenceThicknessMinimum!==void 0&&(n.iridescenceThicknessMinimum=this.iridescenceThicknessMinimum),this.iridescenceThicknessMaximum!==void 0&&(n.iridescenceThicknessMaximum=this.iridescenceThicknessMaximum),this.iridescenceMap&&this.iridescenceMap.isTexture&&(n.iridescenceMap=this.iridescenceMap.toJSON(e).uuid),this.iridescenceThicknessMap&&this.iridescenceThicknessMap.isTexture&&(n.iridescenceThicknessMap=this.iridescenceThicknessMap.toJSON(e).uuid),this.anisotropy!==void 0&&(n.anisotropy=this.anisotropy),this.anisotropyRotation!==void 0&&(n.anisotropyRotation=this.anisotropyRotation),this.anisotropyMap&&this.anisotropyMap.isTexture&&(n.anisotropyMap=this.anisotropyMap.toJSON(e).uuid),this.map&&this.map.isTexture&&(n.map=this.map.toJSON(e).uuid),this.matcap&&this.matcap.isTexture&&(n.matcap=this.matcap.toJSON(e).uuid),this.alphaMap&&this.alphaMap.isTexture&&(n.alphaMap=this.alphaMap.toJSON(e).uuid),this.lightMap&&this.lightMap.isTexture&&(n.lightMap=this.lightMap.toJSON(e).uuid,n.lightMapIntensity=this.lightMapIntensity),this.aoMap&&this.aoMap.isTexture&&(n.aoMap=this.aoMap.toJSON(e).uuid,n.aoMapIntensity=this.aoMapIntensity),this.bumpMap&&this.bumpMap.isTexture&&(n.bumpMap=this.bumpMap.toJSON(e).uuid,n.bumpScale=this.bumpScale),this.normalMap&&this.normalMap.isTexture&&(n.normalMap=this.normalMap.toJSON(e).uuid,n.normalMapType=this.normalMapType,n.normalScale=this.normalScale.toArray()),this.displacementMap&&this.displacementMap.isTexture&&(n.displacementMap=this.displacementMap.toJSON(e).uuid,n.displacementScale=this.displacementScale,n.displacementBias=this.displacementBias),this.roughnessMap&&this.roughnessMap.isTexture&&(n.roughnessMap=this.roughnessMap.toJSON(e).uuid),this.metalnessMap&&this.metalnessMap.isTexture&&(n.metalnessMap=this.metalnessMap.toJSON(e).uuid),this.emissiveMap&&this.emissiveMap.isTexture&&(n.emissiveMap=this.emissiveMap.toJSON(e).uuid),this.specularMap&&this.specularMap.isTexture&&(n.specularMap=this.specularMap.toJSON(e).uuid),this.specularIntensityMap&&this.specularIntensityMap.isTexture&&(n.specularIntensityMap=this.specularIntensityMap.toJSON(e).uuid),this.specularColorMap&&this.specularColorMap.isTexture&&(n.specularColorMap=this.specularColorMap.toJSON(e).uuid),this.envMap&&this.envMap.isTexture&&(n.envMap=this.envMap.toJSON(e).uuid,this.combine!==void 0&&(n.combine=this.combine)),this.envMapRotation!==void 0&&(n.envMapRotation=this.envMapRotation.toArray()),this.envMapIntensity!==void 0&&(n.envMapIntensity=this.envMapIntensity),this.reflectivity!==void 0&&(n.reflectivity=this.reflectivity),this.refractionRatio!==void 0&&(n.refractionRatio=this.refractionRatio),this.gradientMap&&this.gradientMap.isTexture&&(n.gradientMap=this.gradientMap.toJSON(e).uuid),this.transmission!==void 0&&(n.transmission=this.transmission),this.transmissionMap&&this.transmissionMap.isTexture&&(n.transmissionMap=this.transmissionMap.toJSON(e).uuid),this.thickness!==void 0&&(n.thickness=this.thickness),this.thicknessMap&&this.thicknessMap.isTexture&&(n.thicknessMap=this.thicknessMap.toJSON(e).uuid),this.attenuationDistance!==void 0&&(n.attenuationDistance=this.attenuationDistance),this.attenuationColor!==void 0&&(n.attenuationColor=this.attenuationColor.getHex()),this.size!==void 0&&(n.size=this.size),this.sizeAttenuation!==void 0&&(n.sizeAttenuation=this.sizeAttenuation),Array.isArray(this.clippingPlanes)&&this.clippingPlanes.length>0&&(n.clippingPlanes=this.clippingPlanes.map(r=>r.toJSON())),this.rotation!==void 0&&(n.rotation=this.rotation),this.depthPacking!==void 0&&(n.depthPacking=this.depthPacking),this.linewidth!==void 0&&(n.linewidth=this.linewidth),this.linecap!==void 0&&(n.linecap=this.linecap),this.linejoin!==void 0&&(n.linejoin=this.linejoin),this.dashSize!==void 0&&(n.dashSize=this.dashSize),this.gapSize!==void 0&&(n.gapSize=this.gapSize),this.scale!==void 0&&(n.scale=this.scale),this.wireframe!==void 0&&(n.wireframe=this.wireframe),this.wireframeLinewidth!==void 0&&(n.wireframeLinewidth=this.wireframeLinewidth),this.wireframeLinecap!==void 0&&(n.wireframeLinecap=this.wireframeLinecap),this.wireframeLinejoin!==void 0&&(n.wireframeLinejoin=this.wireframeLinejoin),this.flatShading!==void 0&&(n.flatShading=this.flatShading),this.fog!==void 0&&(n.fog=this.fog),Object.keys(this.userData).length>0&&(n.userData=this.userData);function s(r){let o=[];for(let a in r){let l=r[a];delete l.metadata,o.push(l)}return o}if(t){let r=s(e.textures),o=s(e.images);r.length>0&&(n.textures=r),o.length>0&&(n.images=o)}return n}fromJSON(e,t){if(e.uuid!==void 0&&(this.uuid=e.uuid),e.name!==void 0&&(this.name=e.name),e.color!==void 0&&this.color!==void 0&&this.color.setHex(e.color),e.roughness!==void 0&&(this.roughness=e.roughness),e.metalness!==void 0&&(this.metalness=e.metalness),e.sheen!==void 0&&(this.sheen=e.sheen),e.sheenColor!==void 0&&(this.sheenColor=new Je().setHex(e.sheenColor)),e.sheenRoughness!==void 0&&(this.sheenRoughness=e.sheenRoughness),e.emissive!==void 0&&this.emissive!==void 0&&this.emissive.setHex(e.emissive),e.specular!==void 0&&this.specular!==void 0&&this.specular.setHex(e.specular),e.specularIntensity!==void 0&&(this.specularIntensity=e.specularIntensity),e.specularColor!==void 0&&this.specularColor!==void 0&&this.specularColor.setHex(e.specularColor),e.shininess!==void 0&&(this.shininess=e.shininess),e.clearcoat!==void 0&&(this.clearcoat=e.clearcoat),e.clearcoatRoughness!==void 0&&(this.clearcoatRoughness=e.clearcoatRoughness),e.diffuseRoughness!==void 0&&(this.diffuseRoughness=e.diffuseRoughness),e.dispersion!==void 0&&(this.dispersion=e.dispersion),e.retroreflectivity!==void 0&&(this.retroreflectivity=e.retroreflectivity),e.iridescence!==void 0&&(this.iridescence=e.iridescence),e.iridescenceIOR!==void 0&&(this.iridescenceIOR=e.iridescenceIOR),e.iridescenceThicknessMinimum!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessMinimum),e.iridescenceThicknessMaximum!==void 0&&(this.iridescenceThicknessMaximum=e.iridescenceThicknessMaximum),e.iridescenceThicknessRange!==void 0&&(this.iridescenceThicknessMinimum=e.iridescenceThicknessRange[0],this.iridescenceThicknessMaximum=e.iridescenceThicknessRange[1]),e.transmission!==void 0&&(this.transmission=e.transmission),e.thickness!==void 0&&(this.thickness=e.thickness),e.attenuationDistance!==void 0&&(this.attenuationDistance=e.attenuationDistance),e.attenuationColor!==void 0&&this.attenuationColor!==void 0&&this.attenuationColor.setHex(e.attenuationColor),e.anisotropy!==void 0&&(this.anisotropy=e.anisotropy),e.anisotropyRotation!==void 0&&(this.anisotropyRotation=e.anisotropyRotation),e.fog!==void 0&&(this.fog=e.fog),e.flatShading!==void 0&&(this.flatShading=e.flatShading),e.blending!==void 0&&(this.blending=e.blending),e.combine!==void 0&&(this.combine=e.combine),e.side!==void 0&&(this.side=e.side),e.shadowSide!==void 0&&(this.shadowSide=e.shadowSide),e.opacity!==void 0&&(this.opacity=e.opacity),e.transparent!==void 0&&(this.transparent=e.transparent),e.alphaTest!==void 0&&(this.alphaTest=e.alphaTest),e.alphaHash!==void 0&&(this.alphaHash=e.alphaHash),e.depthFunc!==void 0&&(this.depthFunc=e.depthFunc),e.depthTest!==void 0&&(this.depthTest=e.depthTest),e.depthWrite!==void 0&&(this.depthWrite=e.depthWrite),e.colorWrite!==void 0&&(this.colorWrite=e.colorWrite),e.clippingPlanes!==void 0&&(this.clippingPlanes=e.clippingPlanes.map(n=>new gi().fromJSON(n))),e.clipIntersection!==void 0&&(this.clipIntersection=e.clipIntersection),e.clipShadows!==void 0&&(this.clipShadows=e.clipShadows),e.depthPacking!==void 0&&(this.depthPacking=e.depthPacking),e.blendSrc!==void 0&&(this.blendSrc=e.blendSrc),e.blendDst!==void 0&&(this.blendDst=e.blendDst),e.blendEquation!==void 0&&(this.blendEquation=e.blendEquation),e.blendSrcAlpha!==void 0&&(this.blendSrcAlpha=e.blendSrcAlpha),e.blendDstAlpha!==void 0&&(this.blendDstAlpha=e.blendDstAlpha),e.blendEquationAlpha!==void 0&&(this.blendEquationAlpha=e.blendEquationAlpha),e.blendColor!==void 0&&this.blendColor!==void 0&&this.blendColor.setHex(e.blendColor),e.blendAlpha!==void 0&&(this.blendAlpha=e.blendAlpha),e.stencilWriteMask!==void 0&&(this.stencilWriteMask=e.stencilWriteMask),e.stencilFunc!==void 0&&(this.stencilFunc=e.stencilFunc),e.stencilRef!==void 0&&(this.stencilRef=e.stencilRef),e.stencilFuncMask!==void 0&&(this.stencilFuncMask=e.stencilFuncMask),e.stencilFail!==void 0&&(this.stencilFail=e.stencilFail),e.stencilZFail!==void 0&&(this.stencilZFail=e.stencilZFail),e.stencilZPass!==void 0&&(this.stencilZPass=e.stencilZPass),e.stencilWrite!==void 0&&(this.stencilWrite=e.stencilWrite),e.wireframe!==void 0&&(this.wireframe=e.wireframe),e.wireframeLinewidth!==void 0&&(this.wireframeLinewidth=e.wireframeLinewidth),e.wireframeLinecap!==void 0&&(this.wireframeLinecap=e.wireframeLinecap),e.wireframeLinejoin!==void 0&&(this.wireframeLinejoin=e.wireframeLinejoin),e.rotation!==void 0&&(this.rotation=e.rotation),e.linewidth!==void 0&&(this.linewidth=e.linewidth),e.linecap!==void 0&&(this.linecap=e.linecap),e.linejoin!==void 0&&(this.linejoin=e.linejoin),e.dashSize!==void 0&&(this.dashSize=e.dashSize),e.gapSize!==void 0&&(this.gapSize=e.gapSize),e.scale!==void 0&&(this.scale=e.scale),e.polygonOffset!==void 0&&(this.polygonOffset=e.polygonOffset),e.polygonOffsetFactor!==void 0&&(this.polygonOffsetFactor=e.polygonOffsetFactor),e.polygonOffsetUnits!==void 0&&(this.polygonOffsetUnits=e.polygonOffsetUnits),e.dithering!==void 0&&(this.dithering=e.dithering),e.alphaToCoverage!==void 0&&(this.alphaToCoverage=e.alphaToCoverage),e.premultipliedAlpha!==void 0&&(this.premultipliedAlpha=e.premultipliedAlpha),e.forceSinglePass!==void 0&&(this.forceSinglePass=e.forceSinglePass),e.allowOverride!==void 0&&(this.allowOverride=e.allowOverride),e.visible!==void 0&&(this.visible=e.visible),e.toneMapped!==void 0&&(this.toneMapped=e.toneMapped),e.userData!==void 0&&(this.userData=e.userData),e.vertexColors!==void 0&&(typeof e.vertexColors=="number"?this.vertexColors=e.vertexColors>0:this.vertexColors=e.vertexColors),e.size!==void 0&&(this.size=e.size),e.sizeAttenuation!==void 0&&(this.sizeAttenuation=e.sizeAttenuation),e.map!==void 0&&(this.map=t[e.map]||null),e.matcap!==void 0&&(this.matcap=t[e.matcap]||null),e.alphaMap!==void 0&&(this.alphaMap=t[e.alphaMap]||null),e.bumpMap!==void 0&&(this.bumpMap=t[e.bumpMap]||null),e.bumpScale!==void 0&&(this.bumpScale=e.bumpScale),e.normalMap!==void 0&&(this.normalMap=t[e.normalMap]||null),e.normalMapType!==void 0&&(this.normalMapType=e.normalMapType),e.normalScale!==void 0){let n=e.normalScale;Array.isArray(n)===!1&&(n=[n,n]),this.normalScale=new et().fromArray(n)}return e.displacementMap!==void 0&&(this.displacementMap=t[e.displacementMap]||null),e.displacementScale!==void 0&&(this.displacementScale=e.displacementScale),e.displacementBias!==void 0&&(this.displacementBias=e.displacementBias),e.roughnessMap!==void 0&&(this.roughnessMap=t[e.roughnessMap]||null),e.metalnessMap!==void 0&&(this.metalnessMap=t[e.metalnessMap]||null),e.emissiveMap!==void 0&&(this.emissiveMap=t[e.emissiveMap]||null),e.emissiveIntensity!==void 0&&(this.emissiveIntensity=e.emissiveIntensity),e.specularMap!==void 0&&(this.specularMap=t[e.specularMap]||null),e.specularIntensityMap!==void 0&&(this.specularIntensityMap=t[e.specularIntensityMap]||null),e.specularColorMap!==void 0&&(this.specularColorMap=t[e.specularColorMap]||null),e.envMap!==void 0&&(this.envMap=t[e.envMap]||null),e.envMapRotation!==void 0&&this.envMapRotation.fromArray(e.envMapRotation),e.envMapIntensity!==void 0&&(this.envMapIntensity=e.envMapIntensity),e.reflectivity!==void 0&&(this.reflectivity=e.reflectivity),e.refractionRatio!==void 0&&(this.refractionRatio=e.refractionRatio),e.lightMap!==void 0&&(this.lightMap=t[e.lightMap]||null),e.lightMapIntensity!==void 0&&(this.lightMapIntensity=e.lightMapIntensity),e.aoMap!==void 0&&(this.aoMap=t[e.aoMap]||null),e.aoMapIntensity!==void 0&&(this.aoMapIntensity=e.aoMapIntensity),e.gradientMap!==void 0&&(this.gradientMap=t[e.gradientMap]||null),e.clearcoatMap!==void 0&&(this.clearcoatMap=t[e.clearcoatMap]||null),e.clearcoatRoughnessMap!==void 0&&(this.clearcoatRoughnessMap=t[e.clearcoatRoughnessMap]||null),e.clearcoatNormalMap!==void 0&&(this.clearcoatNormalMap=t[e.clearcoatNormalMap]||null),e.clearcoatNormalScale!==void 0&&(this.clearcoatNormalScale=new et().fromArray(e.clearcoatNormalScale)),e.diffuseRoughnessMap!==void 0&&(this.diffuseRoughnessMap=t[e.diffuseRoughnessMap]||null),e.iridescenceMap!==void 0&&(this.iridescenceMap=t[e.iridescenceMap]||null),e.iridescenceThicknessMap!==void 0&&(this.iridescenceThicknessMap=t[e.iridescenceThicknessMap]||null),e.transmissionMap!==void 0&&(this.transmissionMap=t[e.transmissionMap]||null),e.thicknessMap!==void 0&&(this.thicknessMap=t[e.thicknessMap]||null),e.anisotropyMap!==void 0&&(this.anisotropyMap=t[e.anisotropyMap]||null),e.sheenColorMap!==void 0&&(this.sheenColorMap=t[e.sheenColorMap]||null),e.sheenRoughnessMap!==void 0&&(this.sheenRoughnessMap=t[e.sheenRoughnessMap]||null),this}clone(){return new this.constructor().copy(this)}copy(e){this.name=e.name,this.blending=e.blending,this.side=e.side,this.vertexColors=e.vertexColors,this.opacity=e.opacity,this.transparent=e.transparent,this.blendSrc=e.blendSrc,this.blendDst=e.blendDst,this.blendEquation=e.blendEquation,this.blendSrcAlpha=e.blendSrcAlpha,this.blendDstAlpha=e.blendDstAlpha,this.blendEquationAlpha=e.blendEquationAlpha,this.blendColor.copy(e.blendColor),this.blendAlpha=e.blendAlpha,this.depthFunc=e.depthFunc,this.depthTest=e.depthTest,this.depthWrite=e.depthWrite,this.stencilWriteMask=e.stencilWriteMask,this.stencilFunc=e.stencilFunc,this.stencilRef=e.stencilRef,this.stencilFuncMask=e.stencilFuncMask,this.stencilFail=e.stencilFail,this.stencilZFail=e.stencilZFail,this.stencilZPass=e.stencilZPass,this.stencilWrite=e.stencilWrite;let t=e.clippingPlanes,n=null;if(t!==null){let s=t.length;n=new Array(s);for(let r=0;r!==s;++r)n[r]=t[r].clone()}return this.clippingPlanes=n,this.clipIntersection=e.clipIntersection,this.clipShadows=e.clipShadows,this.shadowSide=e.shadowSide,this.colorWrite=e.colorWrite,this.precision=e.precision,this.polygonOffset=e.polygonOffset,this.polygonOffsetFactor=e.polygonOffsetFactor,this.polygonOffsetUnits=e.polygonOffsetUnits,this.dithering=e.dithering,this.alphaTest=e.alphaTest,this.alphaHash=e.alphaHash,this.alphaToCoverage=e.alphaToCoverage,this.premultipliedAlpha=e.premultipliedAlpha,this.forceSinglePass=e.forceSinglePass,this.allowOverride=e.allowOverride,this.visible=e.visible,this.toneMapped=e.toneMapped,this.userData=JSON.parse(JSON.stringify(e.userData)),this}dispose(){this.dispatchEvent({type:"dispose"})}set needsUpdate(e){e===!0&&this.version++}};var bs=new V,Cd=new V,Zl=new V,Kl=new V,qs=class{constructor(e=new V,t=new V(0,0,-1)){this.origin=e,this.direction=t}set(e,t){return this.origin.copy(e),this.direction.copy(t),this}copy(e){return this.origin.copy(e.origin),this.direction.copy(e.direction),this}at(e,t){return t.copy(this.origin).addScaledVector(this.direction,e)}lookAt(e){return this.direction.copy(e).sub(this.origin).normalize(),this}recast(e){return this.origin.copy(this.at(e,bs)),this}closestPointToPoint(e,t){t.subVectors(e,this.origin);let n=t.dot(this.direction);return n<0?t.copy(this.origin):t.copy(this.origin).addScaledVector(this.direction,n)}distanceToPoint(e){return Math.sqrt(this.distanceSqToPoint(e))}distanceSqToPoint(e){let t=bs.subVectors(e,this.origin).dot(this.direction);return t<0?this.origin.distanceToSquared(e):(bs.copy(this.origin).addScaledVector(this.direction,t),bs.distanceToSquared(e))}distanceSqToSegment(e,t,n,s){Cd.copy(e).add(t).multiplyScalar(.5),Zl.copy(t).sub(e).normalize(),Kl.copy(this.origin).sub(Cd);let r=e.distanceTo(t)*.5,o=-this.direction.dot(Zl),a=Kl.dot(this.direction),l=-Kl.dot(Zl),c=Kl.lengthSq(),h=Math.abs(1-o*o),u,d,f,m;if(h>0)if(u=o*l-a,d=o*a-l,m=r*h,u>=0)if(d>=-m)if(d<=m){let x=1/h;u*=x,d*=x,f=u*(u+o*d+2*a)+d*(o*u+d+2*l)+c}else d=r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d=-r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;else d<=-m?(u=Math.max(0,-(-o*r+a)),d=u>0?-r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c):d<=m?(u=0,d=Math.min(Math.max(-r,-l),r),f=d*(d+2*l)+c):(u=Math.max(0,-(o*r+a)),d=u>0?r:Math.min(Math.max(-r,-l),r),f=-u*u+d*(d+2*l)+c);else d=o>0?-r:r,u=Math.max(0,-(o*d+a)),f=-u*u+d*(d+2*l)+c;return n&&n.copy(this.origin).addScaledVector(this.direction,u),s&&s.copy(Cd).addScaledVector(Zl,d),f}intersectSphere(e,t){if(e.radius<0)return null;bs.subVectors(e.center,this.origin);let n=bs.dot(this.direction),s=bs.dot(bs)-n*n,r=e.radius*e.radius;if(s>r)return null;let o=Math.sqrt(r-s),a=n-o,l=n+o;return l<0?null:a<0?this.at(l,t):this.at(a,t)}intersectsSphere(e){return e.radius<0?!1:this.distanceSqToPoint(e.center)<=e.radius*e.radius}distanceToPlane(e){let t=e.normal.dot(this.direction);if(t===0)return e.distanceToPoint(this.origin)===0?0:null;let n=-(this.origin.dot(e.normal)+e.constant)/t;return n>=0?n:null}intersectPlane(e,t){let n=this.distanceToPlane(e);return n===null?null:this.at(n,t)}intersectsPlane(e){let t=e.distanceToPoint(this.origin);return t===0||e.normal.dot(this.direction)*t<0}intersectBox(e,t){let n,s,r,o,a,l,c=1/this.direction.x,h=1/this.direction.y,u=1/this.direction.z,d=this.origin;return c>=0?(n=(e.min.x-d.x)*c,s=(e.max.x-d.x)*c):(n=(e.max.x-d.x)*c,s=(e.min.x-d.x)*c),h>=0?(r=(e.min.y-d.y)*h,o=(e.max.y-d.y)*h):(r=(e.max.y-d.y)*h,o=(e.min.y-d.y)*h),n>o||r>s||((r>n||isNaN(n))&&(n=r),(o<s||isNaN(s))&&(s=o),u>=0?(a=(e.min.z-d.z)*u,l=(e.max.z-d.z)*u):(a=(e.max.z-d.z)*u,l=(e.min.z-d.z)*u),n>l||a>s)||((a>n||n!==n)&&(n=a),(l<s||s!==s)&&(s=l),s<0)?null:this.at(n>=0?n:s,t)}intersectsBox(e){return this.intersectBox(e,bs)!==null}intersectTriangle(e,t,n,s,r){let o=this.origin,a=this.direction,l=a.x,c=a.y,h=a.z,u=e.x-o.x,d=e.y-o.y,f=e.z-o.z,m=t.x-o.x,x=t.y-o.y,g=t.z-o.z,p=n.x-o.x,b=n.y-o.y,A=n.z-o.z,w=Math.abs(l),P=Math.abs(c),T=Math.abs(h),y,E,z,N,L,H,W,D,G,K,B,ce;if(w>=P&&w>=T?(z=l,H=u,G=m,ce=p,l>=0?(y=c,E=h,N=d,L=f,W=x,D=g,K=b,B=A):(y=h,E=c,N=f,L=d,W=g,D=x,K=A,B=b)):P>=T?(z=c,H=d,G=x,ce=b,c>=0?(y=h,E=l,N=f,L=u,W=g,D=m,K=A,B=p):(y=l,E=h,N=u,L=f,W=m,D=g,K=p,B=A)):(z=h,H=f,G=g,ce=A,h>=0?(y=l,E=c,N=u,L=d,W=m,D=x,K=p,B=b):(y=c,E=l,N=d,L=u,W=x,D=m,K=b,B=p)),z===0)return null;let J=y/z,Q=E/z,se=1/z,de=N-J*H,ue=L-Q*H,ee=W-J*G,me=D-Q*G,ye=K-J*ce,Ae=B-Q*ce,Se=ye*me-Ae*ee,He=de*Ae-ue*ye,st=ee*ue-me*de;if(s){if(Se<0||He<0||st<0)return null}else if((Se<0||He<0||st<0)&&(Se>0||He>0||st>0))return null;let Ve=Se+He+st;if(Ve===0)return null;let ut=se*(Se*H+He*G+st*ce);return(Ve>0?ut<0:ut>0)?null:this.at(ut/Ve,r)}applyMatrix4(e){return this.origin.applyMatrix4(e),this.direction.transformDirection(e),this}equals(e){return e.origin.equals(this.origin)&&e.direction.equals(this.direction)}clone(){return new this.constructor().copy(this)}},Cc=class extends ws{constructor(e){super(),this.isMeshBasicMaterial=!0,this.type="MeshBasicMaterial",this.color=new Je(16777215),this.map=null,this.lightMap=null,this.lightMapIntensity=1,this.aoMap=null,this.aoMapIntensity=1,this.specularMap=null,this.alphaMap=null,this.envMap=null,this.envMapRotation=new Xs,this.combine=qd,this.reflectivity=1,this.refractionRatio=.98,this.wireframe=!1,this.wireframeLinewidth=1,this.wireframeLinecap="round",this.wireframeLinejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.lightMap=e.lightMap,this.lightMapIntensity=e.lightMapIntensity,this.aoMap=e.aoMap,this.aoMapIntensity=e.aoMapIntensity,this.specularMap=e.specularMap,this.alphaMap=e.alphaMap,this.envMap=e.envMap,this.envMapRotation.copy(e.envMapRotation),this.combine=e.combine,this.reflectivity=e.reflectivity,this.refractionRatio=e.refractionRatio,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.wireframeLinecap=e.wireframeLinecap,this.wireframeLinejoin=e.wireframeLinejoin,this.fog=e.fog,this}},_0=new Bt,xr=new qs,Jl=new Ri,y0=new V,jl=new V,Ql=new V,ec=new V,Pd=new V,tc=new V,x0=new V,nc=new V,si=class extends ni{constructor(e=new tn,t=new Cc){super(),this.isMesh=!0,this.type="Mesh",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.count=1,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}getVertexPosition(e,t){let n=this.geometry,s=n.attributes.position,r=n.morphAttributes.position,o=n.morphTargetsRelative;t.fromBufferAttribute(s,e);let a=this.morphTargetInfluences;if(r&&a){tc.set(0,0,0);for(let l=0,c=r.length;l<c;l++){let h=a[l],u=r[l];h!==0&&(Pd.fromBufferAttribute(u,e),o?tc.addScaledVector(Pd,h):tc.addScaledVector(Pd.sub(t),h))}t.add(tc)}return t}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.material,r=this.matrixWorld;s!==void 0&&(n.boundingSphere===null&&n.computeBoundingSphere(),Jl.copy(n.boundingSphere),Jl.applyMatrix4(r),xr.copy(e.ray).recast(e.near),!(Jl.containsPoint(xr.origin)===!1&&(xr.intersectSphere(Jl,y0)===null||xr.origin.distanceToSquared(y0)>(e.far-e.near)**2))&&(_0.copy(r).invert(),xr.copy(e.ray).applyMatrix4(_0),!(n.boundingBox!==null&&xr.intersectsBox(n.boundingBox)===!1)&&this._computeIntersections(e,t,xr)))}_computeIntersections(e,t,n){let s,r=this.geometry,o=this.material,a=r.index,l=r.attributes.position,c=r.attributes.uv,h=r.attributes.uv1,u=r.attributes.normal,d=r.groups,f=r.drawRange;if(a!==null)if(Array.isArray(o))for(let m=0,x=d.length;m<x;m++){let g=d[m],p=o[g.materialIndex],b=Math.max(g.start,f.start),A=Math.min(a.count,Math.min(g.start+g.count,f.start+f.count));for(let w=b,P=A;w<P;w+=3){let T=a.getX(w),y=a.getX(w+1),E=a.getX(w+2);s=ic(this,p,e,n,c,h,u,T,y,E),s&&(s.faceIndex=Math.floor(w/3),s.face.materialIndex=g.materialIndex,t.push(s))}}else{let m=Math.max(0,f.start),x=Math.min(a.count,f.start+f.count);for(let g=m,p=x;g<p;g+=3){let b=a.getX(g),A=a.getX(g+1),w=a.getX(g+2);s=ic(this,o,e,n,c,h,u,b,A,w),s&&(s.faceIndex=Math.floor(g/3),t.push(s))}}else if(l!==void 0)if(Array.isArray(o))for(let m=0,x=d.length;m<x;m++){let g=d[m],p=o[g.materialIndex],b=Math.max(g.start,f.start),A=Math.min(l.count,Math.min(g.start+g.count,f.start+f.count));for(let w=b,P=A;w<P;w+=3){let T=w,y=w+1,E=w+2;s=ic(this,p,e,n,c,h,u,T,y,E),s&&(s.faceIndex=Math.floor(w/3),s.face.materialIndex=g.materialIndex,t.push(s))}}else{let m=Math.max(0,f.start),x=Math.min(l.count,f.start+f.count);for(let g=m,p=x;g<p;g+=3){let b=g,A=g+1,w=g+2;s=ic(this,o,e,n,c,h,u,b,A,w),s&&(s.faceIndex=Math.floor(g/3),t.push(s))}}}};function X2(i,e,t,n,s,r,o,a){let l;if(e.side===ei?l=n.intersectTriangle(o,r,s,!0,a):l=n.intersectTriangle(s,r,o,e.side===Qs,a),l===null)return null;nc.copy(a),nc.applyMatrix4(i.matrixWorld);let c=t.ray.origin.distanceTo(nc);return c<t.near||c>t.far?null:{distance:c,point:nc.clone(),object:i}}function ic(i,e,t,n,s,r,o,a,l,c){i.getVertexPosition(a,jl),i.getVertexPosition(l,Ql),i.getVertexPosition(c,ec);let h=X2(i,e,t,n,jl,Ql,ec,x0);if(h){let u=new V;Ws.getBarycoord(x0,jl,Ql,ec,u),s&&(h.uv=Ws.getInterpolatedAttribute(s,a,l,c,u,new et)),r&&(h.uv1=Ws.getInterpolatedAttribute(r,a,l,c,u,new et)),o&&(h.normal=Ws.getInterpolatedAttribute(o,a,l,c,u,new V),h.normal.dot(n.direction)>0&&h.normal.multiplyScalar(-1));let d={a,b:l,c,normal:new V,materialIndex:0};Ws.getNormal(jl,Ql,ec,d.normal),h.face=d,h.barycoord=u}return h}var Pc=class extends Qn{constructor(e=null,t=1,n=1,s,r,o,a,l,c=Cn,h=Cn,u,d){super(null,o,a,l,c,h,s,r,u,d),this.isDataTexture=!0,this.image={data:e,width:t,height:n},this.generateMipmaps=!1,this.flipY=!1,this.unpackAlignment=1}};var wo=class extends Nn{constructor(e,t,n,s=1){super(e,t,n),this.isInstancedBufferAttribute=!0,this.meshPerAttribute=s}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}toJSON(){let e=super.toJSON();return e.meshPerAttribute=this.meshPerAttribute,e.isInstancedBufferAttribute=!0,e}};var vr=new Ri,q2=new et(.5,.5),sc=new V,Mr=class{constructor(e=new gi,t=new gi,n=new gi,s=new gi,r=new gi,o=new gi){this.planes=[e,t,n,s,r,o]}set(e,t,n,s,r,o){let a=this.planes;return a[0].copy(e),a[1].copy(t),a[2].copy(n),a[3].copy(s),a[4].copy(r),a[5].copy(o),this}copy(e){let t=this.planes;for(let n=0;n<6;n++)t[n].copy(e.planes[n]);return this}setFromProjectionMatrix(e,t=Ai,n=!1){let s=this.planes,r=e.elements,o=r[0],a=r[1],l=r[2],c=r[3],h=r[4],u=r[5],d=r[6],f=r[7],m=r[8],x=r[9],g=r[10],p=r[11],b=r[12],A=r[13],w=r[14],P=r[15];if(s[0].setComponents(c-o,f-h,p-m,P-b).normalize(),s[1].setComponents(c+o,f+h,p+m,P+b).normalize(),s[2].setComponents(c+a,f+u,p+x,P+A).normalize(),s[3].setComponents(c-a,f-u,p-x,P-A).normalize(),n)s[4].setComponents(l,d,g,w).normalize(),s[5].setComponents(c-l,f-d,p-g,P-w).normalize();else if(s[4].setComponents(c-l,f-d,p-g,P-w).normalize(),t===Ai)s[5].setComponents(c+l,f+d,p+g,P+w).normalize();else if(t===_a)s[5].setComponents(l,d,g,w).normalize();else throw new Error("THREE.Frustum.setFromProjectionMatrix(): Invalid coordinate system: "+t);return this}intersectsObject(e){if(e.boundingSphere!==void 0)e.boundingSphere===null&&e.computeBoundingSphere(),vr.copy(e.boundingSphere).applyMatrix4(e.matrixWorld);else{let t=e.geometry;t.boundingSphere===null&&t.computeBoundingSphere(),vr.copy(t.boundingSphere).applyMatrix4(e.matrixWorld)}return this.intersectsSphere(vr)}intersectsSprite(e){vr.center.set(0,0,0);let t=q2.distanceTo(e.center);return vr.radius=.7071067811865476+t,vr.applyMatrix4(e.matrixWorld),this.intersectsSphere(vr)}intersectsSphere(e){let t=this.planes,n=e.center,s=-e.radius;for(let r=0;r<6;r++)if(t[r].distanceToPoint(n)<s)return!1;return!0}intersectsBox(e){let t=this.planes;for(let n=0;n<6;n++){let s=t[n];if(sc.x=s.normal.x>0?e.max.x:e.min.x,sc.y=s.normal.y>0?e.max.y:e.min.y,sc.z=s.normal.z>0?e.max.z:e.min.z,s.distanceToPoint(sc)<0)return!1}return!0}containsPoint(e){let t=this.planes;for(let n=0;n<6;n++)if(t[n].distanceToPoint(e)<0)return!1;return!0}clone(){return new this.constructor().copy(this)}},v0=new Bt,Ic=class i{constructor(){this.coordinateSystem=Ai,this._frustums=[],this._count=0}setFromArrayCamera(e){let t=e.cameras,n=this._frustums;for(let s=0;s<t.length;s++){let r=t[s];v0.multiplyMatrices(r.projectionMatrix,r.matrixWorldInverse),n[s]===void 0&&(n[s]=new Mr),n[s].setFromProjectionMatrix(v0,r.coordinateSystem,r.reversedDepth)}return this._count=t.length,this}getFrustum(e){return this._frustums[e]}intersectsObject(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsObject(e))return!0;return!1}intersectsSprite(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSprite(e))return!0;return!1}intersectsSphere(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsSphere(e))return!0;return!1}intersectsBox(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].intersectsBox(e))return!0;return!1}containsPoint(e){let t=this._frustums;for(let n=0;n<this._count;n++)if(t[n].containsPoint(e))return!0;return!1}copy(e){this.coordinateSystem=e.coordinateSystem;let t=this._frustums,n=e._frustums;for(let s=0;s<e._count;s++)t[s]===void 0&&(t[s]=new Mr),t[s].copy(n[s]);return this._count=e._count,this}clone(){return new i().copy(this)}};var Eo=class extends ws{constructor(e){super(),this.isLineBasicMaterial=!0,this.type="LineBasicMaterial",this.color=new Je(16777215),this.map=null,this.linewidth=1,this.linecap="round",this.linejoin="round",this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.linewidth=e.linewidth,this.linecap=e.linecap,this.linejoin=e.linejoin,this.fog=e.fog,this}},Lc=new V,Dc=new V,b0=new Bt,ua=new qs,rc=new Ri,Id=new V,S0=new V,Nc=class extends ni{constructor(e=new tn,t=new Eo){super(),this.isLine=!0,this.type="Line",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[0];for(let s=1,r=t.count;s<r;s++)Lc.fromBufferAttribute(t,s-1),Dc.fromBufferAttribute(t,s),n[s]=n[s-1],n[s]+=Lc.distanceTo(Dc);e.setAttribute("lineDistance",new rn(n,1))}else qe("Line.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.matrixWorld,r=e.params.Line.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),rc.copy(n.boundingSphere),rc.applyMatrix4(s),rc.radius+=r,e.ray.intersectsSphere(rc)===!1)return;b0.copy(s).invert(),ua.copy(e.ray).applyMatrix4(b0);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=this.isLineSegments?2:1,h=n.index,d=n.attributes.position;if(h!==null){let f=Math.max(0,o.start),m=Math.min(h.count,o.start+o.count);for(let x=f,g=m-1;x<g;x+=c){let p=h.getX(x),b=h.getX(x+1),A=oc(this,e,ua,l,p,b,x);A&&t.push(A)}if(this.isLineLoop){let x=h.getX(m-1),g=h.getX(f),p=oc(this,e,ua,l,x,g,m-1);p&&t.push(p)}}else{let f=Math.max(0,o.start),m=Math.min(d.count,o.start+o.count);for(let x=f,g=m-1;x<g;x+=c){let p=oc(this,e,ua,l,x,x+1,x);p&&t.push(p)}if(this.isLineLoop){let x=oc(this,e,ua,l,m-1,f,m-1);x&&t.push(x)}}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function oc(i,e,t,n,s,r,o){let a=i.geometry.attributes.position;if(Lc.fromBufferAttribute(a,s),Dc.fromBufferAttribute(a,r),t.distanceSqToSegment(Lc,Dc,Id,S0)>n)return;Id.applyMatrix4(i.matrixWorld);let c=e.ray.origin.distanceTo(Id);if(!(c<e.near||c>e.far))return{distance:c,point:S0.clone().applyMatrix4(i.matrixWorld),index:o,face:null,faceIndex:null,barycoord:null,object:i}}var M0=new V,w0=new V,To=class extends Nc{constructor(e,t){super(e,t),this.isLineSegments=!0,this.type="LineSegments"}computeLineDistances(){let e=this.geometry;if(e.index===null){let t=e.attributes.position,n=[];for(let s=0,r=t.count;s<r;s+=2)M0.fromBufferAttribute(t,s),w0.fromBufferAttribute(t,s+1),n[s]=s===0?0:n[s-1],n[s+1]=n[s]+M0.distanceTo(w0);e.setAttribute("lineDistance",new rn(n,1))}else qe("LineSegments.computeLineDistances(): Computation only possible with non-indexed BufferGeometry.");return this}};var Fc=class extends ws{constructor(e){super(),this.isPointsMaterial=!0,this.type="PointsMaterial",this.color=new Je(16777215),this.map=null,this.alphaMap=null,this.size=1,this.sizeAttenuation=!0,this.fog=!0,this.setValues(e)}copy(e){return super.copy(e),this.color.copy(e.color),this.map=e.map,this.alphaMap=e.alphaMap,this.size=e.size,this.sizeAttenuation=e.sizeAttenuation,this.fog=e.fog,this}},E0=new Bt,Od=new qs,ac=new Ri,lc=new V,$s=class extends ni{constructor(e=new tn,t=new Fc){super(),this.isPoints=!0,this.type="Points",this.geometry=e,this.material=t,this.morphTargetDictionary=void 0,this.morphTargetInfluences=void 0,this.updateMorphTargets()}copy(e,t){return super.copy(e,t),e.morphTargetInfluences!==void 0?this.morphTargetInfluences=e.morphTargetInfluences.slice():this.morphTargetInfluences=void 0,e.morphTargetDictionary!==void 0?this.morphTargetDictionary=Object.assign({},e.morphTargetDictionary):this.morphTargetDictionary=void 0,this.material=Array.isArray(e.material)?e.material.slice():e.material,this.geometry=e.geometry,this}intersectsFrustum(e){return e.intersectsObject(this)}raycast(e,t){let n=this.geometry,s=this.matrixWorld,r=e.params.Points.threshold,o=n.drawRange;if(n.boundingSphere===null&&n.computeBoundingSphere(),ac.copy(n.boundingSphere),ac.applyMatrix4(s),ac.radius+=r,e.ray.intersectsSphere(ac)===!1)return;E0.copy(s).invert(),Od.copy(e.ray).applyMatrix4(E0);let a=r/((this.scale.x+this.scale.y+this.scale.z)/3),l=a*a,c=n.index,u=n.attributes.position;if(c!==null){let d=Math.max(0,o.start),f=Math.min(c.count,o.start+o.count);for(let m=d,x=f;m<x;m++){let g=c.getX(m);lc.fromBufferAttribute(u,g),T0(lc,g,l,s,e,t,this)}}else{let d=Math.max(0,o.start),f=Math.min(u.count,o.start+o.count);for(let m=d,x=f;m<x;m++)lc.fromBufferAttribute(u,m),T0(lc,m,l,s,e,t,this)}}updateMorphTargets(){let t=this.geometry.morphAttributes,n=Object.keys(t);if(n.length>0){let s=t[n[0]];if(s!==void 0){this.morphTargetInfluences=[],this.morphTargetDictionary={};for(let r=0,o=s.length;r<o;r++){let a=s[r].name||String(r);this.morphTargetInfluences.push(0),this.morphTargetDictionary[a]=r}}}}};function T0(i,e,t,n,s,r,o){let a=Od.distanceSqToPoint(i);if(a<t){let l=new V;Od.closestPointToPoint(i,l),l.applyMatrix4(n);let c=s.ray.origin.distanceTo(l);if(c<s.near||c>s.far)return;r.push({distance:c,distanceToRay:Math.sqrt(a),point:l,index:e,face:null,faceIndex:null,barycoord:null,object:o})}}var Ea=class extends Qn{constructor(e=[],t=Tr,n,s,r,o,a,l,c,h){super(e,t,n,s,r,o,a,l,c,h),this.isCubeTexture=!0,this.flipY=!1}get images(){return this.image}set images(e){this.image=e}},Ta=class extends Qn{constructor(e,t,n,s,r,o,a,l,c){super(e,t,n,s,r,o,a,l,c),this.isCanvasTexture=!0,this.needsUpdate=!0}};var Es=class extends Qn{constructor(e,t,n=zi,s,r,o,a=Cn,l=Cn,c,h=Ms,u=1){if(h!==Ms&&h!==As)throw new Error("THREE.DepthTexture: format must be either THREE.DepthFormat or THREE.DepthStencilFormat");let d={width:e,height:t,depth:u};super(d,s,r,o,a,l,h,n,c),this.isDepthTexture=!0,this.flipY=!1,this.generateMipmaps=!1,this.compareFunction=null}copy(e){return super.copy(e),this.source=new So(Object.assign({},e.image)),this.compareFunction=e.compareFunction,this}toJSON(e){let t=super.toJSON(e);return t.compareFunction=this.compareFunction,t}},Aa=class extends Es{constructor(e,t=zi,n=Tr,s,r,o=Cn,a=Cn,l,c=Ms){let h={width:e,height:e,depth:1},u=[h,h,h,h,h,h];super(e,e,t,n,s,r,o,a,l,c),this.image=u,this.isCubeDepthTexture=!0,this.isCubeTexture=!0}get images(){return this.image}set images(e){this.image=e}},Ra=class extends Qn{constructor(e=null){super(),this.sourceTexture=e,this.isExternalTexture=!0}copy(e){return super.copy(e),this.sourceTexture=e.sourceTexture,this}},Ao=class i extends tn{constructor(e=1,t=1,n=1,s=1,r=1,o=1){super(),this.type="BoxGeometry",this.parameters={width:e,height:t,depth:n,widthSegments:s,heightSegments:r,depthSegments:o};let a=this;s=Math.floor(s),r=Math.floor(r),o=Math.floor(o);let l=[],c=[],h=[],u=[],d=0,f=0;m("z","y","x",-1,-1,n,t,e,o,r,0),m("z","y","x",1,-1,n,t,-e,o,r,1),m("x","z","y",1,1,e,n,t,s,o,2),m("x","z","y",1,-1,e,n,-t,s,o,3),m("x","y","z",1,-1,e,t,n,s,r,4),m("x","y","z",-1,-1,e,t,-n,s,r,5),this.setIndex(l),this.setAttribute("position",new rn(c,3)),this.setAttribute("normal",new rn(h,3)),this.setAttribute("uv",new rn(u,2));function m(x,g,p,b,A,w,P,T,y,E,z){let N=w/y,L=P/E,H=w/2,W=P/2,D=T/2,G=y+1,K=E+1,B=0,ce=0,J=new V;for(let Q=0;Q<K;Q++){let se=Q*L-W;for(let de=0;de<G;de++){let ue=de*N-H;J[x]=ue*b,J[g]=se*A,J[p]=D,c.push(J.x,J.y,J.z),J[x]=0,J[g]=0,J[p]=T>0?1:-1,h.push(J.x,J.y,J.z),u.push(de/y),u.push(1-Q/E),B+=1}}for(let Q=0;Q<E;Q++)for(let se=0;se<y;se++){let de=d+se+G*Q,ue=d+se+G*(Q+1),ee=d+(se+1)+G*(Q+1),me=d+(se+1)+G*Q;l.push(de,ue,me),l.push(ue,ee,me),ce+=6}a.addGroup(f,ce,z),f+=ce,d+=B}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.width,e.height,e.depth,e.widthSegments,e.heightSegments,e.depthSegments)}};var Ca=class i extends tn{constructor(e=1,t=1,n=1,s=1){super(),this.type="PlaneGeometry",this.parameters={width:e,height:t,widthSegments:n,heightSegments:s};let r=e/2,o=t/2,a=Math.floor(n),l=Math.floor(s),c=a+1,h=l+1,u=e/a,d=t/l,f=[],m=[],x=[],g=[];for(let p=0;p<h;p++){let b=p*d-o;for(let A=0;A<c;A++){let w=A*u-r;m.push(w,-b,0),x.push(0,0,1),g.push(A/a),g.push(1-p/l)}}for(let p=0;p<l;p++)for(let b=0;b<a;b++){let A=b+c*p,w=b+c*(p+1),P=b+1+c*(p+1),T=b+1+c*p;f.push(A,w,T),f.push(w,P,T)}this.setIndex(f),this.setAttribute("position",new rn(m,3)),this.setAttribute("normal",new rn(x,3)),this.setAttribute("uv",new rn(g,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.width,e.height,e.widthSegments,e.heightSegments)}};var Pa=class i extends tn{constructor(e=1,t=32,n=16,s=0,r=Math.PI*2,o=0,a=Math.PI){super(),this.type="SphereGeometry",this.parameters={radius:e,widthSegments:t,heightSegments:n,phiStart:s,phiLength:r,thetaStart:o,thetaLength:a},t=Math.max(3,Math.floor(t)),n=Math.max(2,Math.floor(n));let l=Math.min(o+a,Math.PI),c=0,h=[],u=new V,d=new V,f=[],m=[],x=[],g=[];for(let p=0;p<=n;p++){let b=[],A=p/n,w=o+A*a,P=e*Math.cos(w),T=Math.sqrt(e*e-P*P),y=0;p===0&&o===0?y=.5/t:p===n&&l===Math.PI&&(y=-.5/t);for(let E=0;E<=t;E++){let z=E/t,N=s+z*r;u.x=-T*Math.cos(N),u.y=P,u.z=T*Math.sin(N),m.push(u.x,u.y,u.z),d.copy(u).normalize(),x.push(d.x,d.y,d.z),g.push(z+y,1-A),b.push(c++)}h.push(b)}for(let p=0;p<n;p++)for(let b=0;b<t;b++){let A=h[p][b+1],w=h[p][b],P=h[p+1][b],T=h[p+1][b+1];(p!==0||o>0)&&f.push(A,w,T),(p!==n-1||l<Math.PI)&&f.push(w,P,T)}this.setIndex(f),this.setAttribute("position",new rn(m,3)),this.setAttribute("normal",new rn(x,3)),this.setAttribute("uv",new rn(g,2))}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}static fromJSON(e){return new i(e.radius,e.widthSegments,e.heightSegments,e.phiStart,e.phiLength,e.thetaStart,e.thetaLength)}};var Ia=class extends tn{constructor(e=null){if(super(),this.type="WireframeGeometry",this.parameters={geometry:e},e!==null){let t=[],n=new Set,s=new V,r=new V;if(e.index!==null){let o=e.attributes.position,a=e.index,l=e.groups;l.length===0&&(l=[{start:0,count:a.count,materialIndex:0}]);for(let c=0,h=l.length;c<h;++c){let u=l[c],d=u.start,f=u.count;for(let m=d,x=d+f;m<x;m+=3)for(let g=0;g<3;g++){let p=a.getX(m+g),b=a.getX(m+(g+1)%3);s.fromBufferAttribute(o,p),r.fromBufferAttribute(o,b),A0(s,r,n)===!0&&(t.push(s.x,s.y,s.z),t.push(r.x,r.y,r.z))}}}else{let o=e.attributes.position;for(let a=0,l=o.count/3;a<l;a++)for(let c=0;c<3;c++){let h=3*a+c,u=3*a+(c+1)%3;s.fromBufferAttribute(o,h),r.fromBufferAttribute(o,u),A0(s,r,n)===!0&&(t.push(s.x,s.y,s.z),t.push(r.x,r.y,r.z))}}this.setAttribute("position",new rn(t,3))}}copy(e){return super.copy(e),this.parameters=Object.assign({},e.parameters),this}};function A0(i,e,t){let n=`${i.x},${i.y},${i.z}-${e.x},${e.y},${e.z}`,s=`${e.x},${e.y},${e.z}-${i.x},${i.y},${i.z}`;return t.has(n)===!0||t.has(s)===!0?!1:(t.add(n),t.add(s),!0)}function Rr(i){let e={};for(let t in i){e[t]={};for(let n in i[t]){let s=i[t][n];if(R0(s))s.isRenderTargetTexture?(qe("UniformsUtils: Textures of render targets cannot be cloned via cloneUniforms() or mergeUniforms()."),e[t][n]=null):e[t][n]=s.clone();else if(Array.isArray(s))if(R0(s[0])){let r=[];for(let o=0,a=s.length;o<a;o++)r[o]=s[o].clone();e[t][n]=r}else e[t][n]=s.slice();else e[t][n]=s}}return e}function Gn(i){let e={};for(let t=0;t<i.length;t++){let n=Rr(i[t]);for(let s in n)e[s]=n[s]}return e}function R0(i){return i&&(i.isColor||i.isMatrix3||i.isMatrix4||i.isVector2||i.isVector3||i.isVector4||i.isTexture||i.isQuaternion)}function $2(i){let e=[];for(let t=0;t<i.length;t++)e.push(i[t].clone());return e}function xf(i){let e=i.getRenderTarget();return e===null?i.outputColorSpace:e.isXRRenderTarget===!0?e.texture.colorSpace:pt.workingColorSpace}var qa={clone:Rr,merge:Gn},Y2=`void main() {
	gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
}`,Z2=`void main() {
	gl_FragColor = vec4( 1.0, 0.0, 0.0, 1.0 );
}`,Vn=class extends ws{constructor(e){super(),this.isShaderMaterial=!0,this.type="ShaderMaterial",this.defines={},this.uniforms={},this.uniformsGroups=[],this.vertexShader=Y2,this.fragmentShader=Z2,this.linewidth=1,this.wireframe=!1,this.wireframeLinewidth=1,this.fog=!1,this.lights=!1,this.clipping=!1,this.forceSinglePass=!0,this.extensions={clipCullDistance:!1,multiDraw:!1},this.defaultAttributeValues={color:[1,1,1],uv:[0,0],uv1:[0,0]},this.index0AttributeName=void 0,this.uniformsNeedUpdate=!1,this.glslVersion=null,e!==void 0&&this.setValues(e)}copy(e){return super.copy(e),this.fragmentShader=e.fragmentShader,this.vertexShader=e.vertexShader,this.uniforms=Rr(e.uniforms),this.uniformsGroups=$2(e.uniformsGroups),this.defines=Object.assign({},e.defines),this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this.fog=e.fog,this.lights=e.lights,this.clipping=e.clipping,this.extensions=Object.assign({},e.extensions),this.glslVersion=e.glslVersion,this.defaultAttributeValues=Object.assign({},e.defaultAttributeValues),this.index0AttributeName=e.index0AttributeName,this.uniformsNeedUpdate=e.uniformsNeedUpdate,this}toJSON(e){let t=super.toJSON(e);t.glslVersion=this.glslVersion,t.uniforms={};for(let s in this.uniforms){let o=this.uniforms[s].value;o&&o.isTexture?t.uniforms[s]={type:"t",value:o.toJSON(e).uuid}:o&&o.isColor?t.uniforms[s]={type:"c",value:o.getHex()}:o&&o.isVector2?t.uniforms[s]={type:"v2",value:o.toArray()}:o&&o.isVector3?t.uniforms[s]={type:"v3",value:o.toArray()}:o&&o.isVector4?t.uniforms[s]={type:"v4",value:o.toArray()}:o&&o.isMatrix3?t.uniforms[s]={type:"m3",value:o.toArray()}:o&&o.isMatrix4?t.uniforms[s]={type:"m4",value:o.toArray()}:t.uniforms[s]={value:o}}Object.keys(this.defines).length>0&&(t.defines=this.defines),t.vertexShader=this.vertexShader,t.fragmentShader=this.fragmentShader,t.lights=this.lights,t.clipping=this.clipping;let n={};for(let s in this.extensions)this.extensions[s]===!0&&(n[s]=!0);return Object.keys(n).length>0&&(t.extensions=n),t}fromJSON(e,t){if(super.fromJSON(e,t),e.uniforms!==void 0)for(let n in e.uniforms){let s=e.uniforms[n];switch(this.uniforms[n]={},s.type){case"t":this.uniforms[n].value=t[s.value]||null;break;case"c":this.uniforms[n].value=new Je().setHex(s.value);break;case"v2":this.uniforms[n].value=new et().fromArray(s.value);break;case"v3":this.uniforms[n].value=new V().fromArray(s.value);break;case"v4":this.uniforms[n].value=new Lt().fromArray(s.value);break;case"m3":this.uniforms[n].value=new tt().fromArray(s.value);break;case"m4":this.uniforms[n].value=new Bt().fromArray(s.value);break;default:this.uniforms[n].value=s.value}}if(e.defines!==void 0&&(this.defines=e.defines),e.vertexShader!==void 0&&(this.vertexShader=e.vertexShader),e.fragmentShader!==void 0&&(this.fragmentShader=e.fragmentShader),e.glslVersion!==void 0&&(this.glslVersion=e.glslVersion),e.extensions!==void 0)for(let n in e.extensions)this.extensions[n]=e.extensions[n];return e.lights!==void 0&&(this.lights=e.lights),e.clipping!==void 0&&(this.clipping=e.clipping),this}},Uc=class extends Vn{constructor(e){super(e),this.isRawShaderMaterial=!0,this.type="RawShaderMaterial"}};var Oc=class extends ws{constructor(e){super(),this.isMeshDepthMaterial=!0,this.type="MeshDepthMaterial",this.depthPacking=s1,this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.wireframe=!1,this.wireframeLinewidth=1,this.setValues(e)}copy(e){return super.copy(e),this.depthPacking=e.depthPacking,this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this.wireframe=e.wireframe,this.wireframeLinewidth=e.wireframeLinewidth,this}},kc=class extends ws{constructor(e){super(),this.isMeshDistanceMaterial=!0,this.type="MeshDistanceMaterial",this.map=null,this.alphaMap=null,this.displacementMap=null,this.displacementScale=1,this.displacementBias=0,this.setValues(e)}copy(e){return super.copy(e),this.map=e.map,this.alphaMap=e.alphaMap,this.displacementMap=e.displacementMap,this.displacementScale=e.displacementScale,this.displacementBias=e.displacementBias,this}};function fo(i,e){return!i||i.constructor===e?i:typeof e.BYTES_PER_ELEMENT=="number"?new e(i):Array.prototype.slice.call(i)}function cc(i){return i!==void 0&&i.inTangents!==void 0&&i.outTangents!==void 0}var Ys=class{constructor(e,t,n,s){this.parameterPositions=e,this._cachedIndex=0,this.resultBuffer=s!==void 0?s:new t.constructor(n),this.sampleValues=t,this.valueSize=n,this.settings=null,this.DefaultSettings_={}}evaluate(e){let t=this.parameterPositions,n=this._cachedIndex,s=t[n],r=t[n-1];n:{e:{let o;t:{i:if(!(e<s)){for(let a=n+2;;){if(s===void 0){if(e<r)break i;return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}if(n===a)break;if(r=s,s=t[++n],e<s)break e}o=t.length;break t}if(!(e>=r)){let a=t[1];e<a&&(n=2,r=a);for(let l=n-2;;){if(r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(n===l)break;if(s=r,r=t[--n-1],e>=r)break e}o=n,n=0;break t}break n}for(;n<o;){let a=n+o>>>1;e<t[a]?o=a:n=a+1}if(s=t[n],r=t[n-1],r===void 0)return this._cachedIndex=0,this.copySampleValue_(0);if(s===void 0)return n=t.length,this._cachedIndex=n,this.copySampleValue_(n-1)}this._cachedIndex=n,this.intervalChanged_(n,r,s)}return this.interpolate_(n,r,e,s)}getSettings_(){return this.settings||this.DefaultSettings_}copySampleValue_(e){let t=this.resultBuffer,n=this.sampleValues,s=this.valueSize,r=e*s;for(let o=0;o!==s;++o)t[o]=n[r+o];return t}interpolate_(){throw new Error("THREE.Interpolant: Call to abstract method.")}intervalChanged_(){}},Bc=class extends Ys{constructor(e,t,n,s){super(e,t,n,s),this._weightPrev=-0,this._offsetPrev=-0,this._weightNext=-0,this._offsetNext=-0,this.DefaultSettings_={endingStart:Nd,endingEnd:Nd}}intervalChanged_(e,t,n){let s=this.parameterPositions,r=e-2,o=e+1,a=s[r],l=s[o];if(a===void 0)switch(this.getSettings_().endingStart){case Fd:r=e,a=2*t-n;break;case Ud:r=s.length-2,a=t+s[r]-s[r+1];break;default:r=e,a=n}if(l===void 0)switch(this.getSettings_().endingEnd){case Fd:o=e,l=2*n-t;break;case Ud:o=1,l=n+s[1]-s[0];break;default:o=e-1,l=t}let c=(n-t)*.5,h=this.valueSize;this._weightPrev=c/(t-a),this._weightNext=c/(l-n),this._offsetPrev=r*h,this._offsetNext=o*h}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=this._offsetPrev,u=this._offsetNext,d=this._weightPrev,f=this._weightNext,m=(n-t)/(s-t),x=m*m,g=x*m,p=-d*g+2*d*x-d*m,b=(1+d)*g+(-1.5-2*d)*x+(-.5+d)*m+1,A=(-1-f)*g+(1.5+f)*x+.5*m,w=f*g-f*x;for(let P=0;P!==a;++P)r[P]=p*o[h+P]+b*o[c+P]+A*o[l+P]+w*o[u+P];return r}},zc=class extends Ys{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=(n-t)/(s-t),u=1-h;for(let d=0;d!==a;++d)r[d]=o[c+d]*u+o[l+d]*h;return r}},Vc=class extends Ys{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e){return this.copySampleValue_(e-1)}},Gc=class extends Ys{interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=e*a,c=l-a,h=this.inTangents,u=this.outTangents;if(!h||!u){let m=(n-t)/(s-t),x=1-m;for(let g=0;g!==a;++g)r[g]=o[c+g]*x+o[l+g]*m;return r}let d=a*2,f=e-1;for(let m=0;m!==a;++m){let x=o[c+m],g=o[l+m],p=f*d+m*2,b=u[p],A=u[p+1],w=e*d+m*2,P=h[w],T=h[w+1],y=J2(n,t,b,P,s);r[m]=_1(y,x,A,T,g)}return r}};function _1(i,e,t,n,s){let r=1-i;return r*r*r*e+3*r*r*i*t+3*r*i*i*n+i*i*i*s}function K2(i,e,t,n,s){let r=1-i;return 3*r*r*(t-e)+6*r*i*(n-t)+3*i*i*(s-n)}function J2(i,e,t,n,s){let r=(i-e)/(s-e);for(let o=0;o<8;o++){let a=_1(r,e,t,n,s)-i;if(Math.abs(a)<1e-10)break;let l=K2(r,e,t,n,s);if(Math.abs(l)<1e-10)break;r=Math.max(0,Math.min(1,r-a/l))}return r}var vi=class{constructor(e,t,n,s){if(e===void 0)throw new Error("THREE.KeyframeTrack: track name is undefined");if(t===void 0||t.length===0)throw new Error("THREE.KeyframeTrack: no keyframes in track named "+e);this.name=e,this.times=fo(t,this.TimeBufferType),this.values=fo(n,this.ValueBufferType),this.setInterpolation(s||this.DefaultInterpolation)}static toJSON(e){let t=e.constructor,n;if(t.toJSON!==this.toJSON)n=t.toJSON(e);else{n={name:e.name,times:fo(e.times,Array),values:fo(e.values,Array)};let s=e.getInterpolation();s!==e.DefaultInterpolation&&(n.interpolation=s),cc(e.settings)&&(n.settings={inTangents:fo(e.settings.inTangents,Array),outTangents:fo(e.settings.outTangents,Array)})}return n.type=e.ValueTypeName,n}InterpolantFactoryMethodDiscrete(e){return new Vc(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodLinear(e){return new zc(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodSmooth(e){return new Bc(this.times,this.values,this.getValueSize(),e)}InterpolantFactoryMethodBezier(e){let t=new Gc(this.times,this.values,this.getValueSize(),e);return this.settings&&(t.inTangents=this.settings.inTangents,t.outTangents=this.settings.outTangents),t}setInterpolation(e){let t;switch(e){case ma:t=this.InterpolantFactoryMethodDiscrete;break;case wc:t=this.InterpolantFactoryMethodLinear;break;case fc:t=this.InterpolantFactoryMethodSmooth;break;case Dd:t=this.InterpolantFactoryMethodBezier;break}if(t===void 0){let n="unsupported interpolation for "+this.ValueTypeName+" keyframe track named "+this.name;if(this.createInterpolant===void 0)if(e!==this.DefaultInterpolation)this.setInterpolation(this.DefaultInterpolation);else throw new Error(n);return qe("KeyframeTrack:",n),this}return this.createInterpolant=t,this}getInterpolation(){switch(this.createInterpolant){case this.InterpolantFactoryMethodDiscrete:return ma;case this.InterpolantFactoryMethodLinear:return wc;case this.InterpolantFactoryMethodSmooth:return fc;case this.InterpolantFactoryMethodBezier:return Dd}}getValueSize(){return this.values.length/this.times.length}shift(e){if(e!==0){let t=this.times;for(let n=0,s=t.length;n!==s;++n)t[n]+=e;cc(this.settings)&&(C0(this.settings.inTangents,e),C0(this.settings.outTangents,e))}return this}scale(e){if(e!==1){let t=this.times;for(let n=0,s=t.length;n!==s;++n)t[n]*=e;cc(this.settings)&&(P0(this.settings.inTangents,e),P0(this.settings.outTangents,e))}return this}trim(e,t){let n=this.times,s=n.length,r=0,o=s-1;for(;r!==s&&n[r]<e;)++r;for(;o!==-1&&n[o]>t;)--o;if(++o,r!==0||o!==s){r>=o&&(o=Math.max(o,1),r=o-1);let a=this.getValueSize();this.times=n.slice(r,o),this.values=this.values.slice(r*a,o*a)}return this}validate(){let e=!0,t=this.getValueSize();t-Math.floor(t)!==0&&(Qe("KeyframeTrack: Invalid value size in track.",this),e=!1);let n=this.times,s=this.values,r=n.length;r===0&&(Qe("KeyframeTrack: Track is empty.",this),e=!1);let o=null;for(let a=0;a!==r;a++){let l=n[a];if(typeof l=="number"&&isNaN(l)){Qe("KeyframeTrack: Time is not a valid number.",this,a,l),e=!1;break}if(o!==null&&o>l){Qe("KeyframeTrack: Out of order keys.",this,a,l,o),e=!1;break}o=l}if(s!==void 0&&f2(s))for(let a=0,l=s.length;a!==l;++a){let c=s[a];if(isNaN(c)){Qe("KeyframeTrack: Value is not a valid number.",this,a,c),e=!1;break}}return e}optimize(){let e=this.times.slice(),t=this.values.slice(),n=this.getValueSize(),s=this.getInterpolation()===fc,r=e.length-1,o=1;for(let a=1;a<r;++a){let l=!1,c=e[a],h=e[a+1];if(c!==h&&(a!==1||c!==e[0]))if(s)l=!0;else{let u=a*n,d=u-n,f=u+n;for(let m=0;m!==n;++m){let x=t[u+m];if(x!==t[d+m]||x!==t[f+m]){l=!0;break}}}if(l){if(a!==o){e[o]=e[a];let u=a*n,d=o*n;for(let f=0;f!==n;++f)t[d+f]=t[u+f]}++o}}if(r>0){e[o]=e[r];for(let a=r*n,l=o*n,c=0;c!==n;++c)t[l+c]=t[a+c];++o}return o!==e.length?(this.times=e.slice(0,o),this.values=t.slice(0,o*n)):(this.times=e,this.values=t),this}clone(){let e=this.times.slice(),t=this.values.slice(),n=this.constructor,s=new n(this.name,e,t);return s.createInterpolant=this.createInterpolant,cc(this.settings)&&(s.settings={inTangents:this.settings.inTangents.slice(),outTangents:this.settings.outTangents.slice()}),s}};function C0(i,e){for(let t=0,n=i.length;t!==n;t+=2)i[t]+=e}function P0(i,e){for(let t=0,n=i.length;t!==n;t+=2)i[t]*=e}vi.prototype.ValueTypeName="";vi.prototype.TimeBufferType=Float32Array;vi.prototype.ValueBufferType=Float32Array;vi.prototype.DefaultInterpolation=wc;var Zs=class extends vi{constructor(e,t,n){super(e,t,n)}};Zs.prototype.ValueTypeName="bool";Zs.prototype.ValueBufferType=Array;Zs.prototype.DefaultInterpolation=ma;Zs.prototype.InterpolantFactoryMethodLinear=void 0;Zs.prototype.InterpolantFactoryMethodSmooth=void 0;var Hc=class extends vi{constructor(e,t,n,s){super(e,t,n,s)}};Hc.prototype.ValueTypeName="color";var Wc=class extends vi{constructor(e,t,n,s){super(e,t,n,s)}};Wc.prototype.ValueTypeName="number";var Xc=class extends Ys{constructor(e,t,n,s){super(e,t,n,s)}interpolate_(e,t,n,s){let r=this.resultBuffer,o=this.sampleValues,a=this.valueSize,l=(n-t)/(s-t),c=e*a;for(let h=c+a;c!==h;c+=4)_i.slerpFlat(r,0,o,c-a,o,c,l);return r}},La=class extends vi{constructor(e,t,n,s){super(e,t,n,s)}InterpolantFactoryMethodLinear(e){return new Xc(this.times,this.values,this.getValueSize(),e)}};La.prototype.ValueTypeName="quaternion";La.prototype.InterpolantFactoryMethodSmooth=void 0;var Ks=class extends vi{constructor(e,t,n){super(e,t,n)}};Ks.prototype.ValueTypeName="string";Ks.prototype.ValueBufferType=Array;Ks.prototype.DefaultInterpolation=ma;Ks.prototype.InterpolantFactoryMethodLinear=void 0;Ks.prototype.InterpolantFactoryMethodSmooth=void 0;var qc=class extends vi{constructor(e,t,n,s){super(e,t,n,s)}};qc.prototype.ValueTypeName="vector";var $c=class{constructor(e,t,n){let s=this,r=!1,o=0,a=0,l,c=[];this.onStart=void 0,this.onLoad=e,this.onProgress=t,this.onError=n,this._abortController=null,this.itemStart=function(h){a++,r===!1&&s.onStart!==void 0&&s.onStart(h,o,a),r=!0},this.itemEnd=function(h){o++,s.onProgress!==void 0&&s.onProgress(h,o,a),o===a&&(r=!1,s.onLoad!==void 0&&s.onLoad())},this.itemError=function(h){s.onError!==void 0&&s.onError(h)},this.resolveURL=function(h){return h=h.normalize("NFC"),l?l(h):h},this.setURLModifier=function(h){return l=h,this},this.addHandler=function(h,u){return c.push(h,u),this},this.removeHandler=function(h){let u=c.indexOf(h);return u!==-1&&c.splice(u,2),this},this.getHandler=function(h){for(let u=0,d=c.length;u<d;u+=2){let f=c[u],m=c[u+1];if(f.global&&(f.lastIndex=0),f.test(h))return m}return null},this.abort=function(){return this.abortController.abort(),this._abortController=null,this}}get abortController(){return this._abortController||(this._abortController=new AbortController),this._abortController}},y1=new $c,Yc=class{constructor(e){this.manager=e!==void 0?e:y1,this.crossOrigin="anonymous",this.withCredentials=!1,this.path="",this.resourcePath="",this.requestHeader={},this.priority="auto",this.cache="default",typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}load(){}loadAsync(e,t){let n=this;return new Promise(function(s,r){n.load(e,s,t,r)})}parse(){}setCrossOrigin(e){return this.crossOrigin=e,this}setWithCredentials(e){return this.withCredentials=e,this}setPath(e){return this.path=e,this}setResourcePath(e){return this.resourcePath=e,this}setRequestHeader(e){return this.requestHeader=e,this}setPriority(e){return this.priority=e,this}setCache(e){return this.cache=e,this}abort(){return this}};Yc.DEFAULT_MATERIAL_NAME="__DEFAULT";var hc=new V,uc=new _i,Qi=new V,Da=class extends ni{constructor(){super(),this.isCamera=!0,this.type="Camera",this.matrixWorldInverse=new Bt,this.projectionMatrix=new Bt,this.projectionMatrixInverse=new Bt,this.coordinateSystem=Ai,this._reversedDepth=!1}get reversedDepth(){return this._reversedDepth}copy(e,t){return super.copy(e,t),this.matrixWorldInverse.copy(e.matrixWorldInverse),this.projectionMatrix.copy(e.projectionMatrix),this.projectionMatrixInverse.copy(e.projectionMatrixInverse),this.coordinateSystem=e.coordinateSystem,this}getWorldDirection(e){return super.getWorldDirection(e).negate()}updateMatrixWorld(e){super.updateMatrixWorld(e),this.matrixWorld.decompose(hc,uc,Qi),Qi.x===1&&Qi.y===1&&Qi.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(hc,uc,Qi.set(1,1,1)).invert()}updateWorldMatrix(e,t,n=!1){super.updateWorldMatrix(e,t,n),this.matrixWorld.decompose(hc,uc,Qi),Qi.x===1&&Qi.y===1&&Qi.z===1?this.matrixWorldInverse.copy(this.matrixWorld).invert():this.matrixWorldInverse.compose(hc,uc,Qi.set(1,1,1)).invert()}clone(){return new this.constructor().copy(this)}},Hs=new V,I0=new et,L0=new et,Jn=class extends Da{constructor(e=50,t=1,n=.1,s=2e3){super(),this.isPerspectiveCamera=!0,this.type="PerspectiveCamera",this.fov=e,this.zoom=1,this.near=n,this.far=s,this.focus=10,this.aspect=t,this.view=null,this.filmGauge=35,this.filmOffset=0,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.fov=e.fov,this.zoom=e.zoom,this.near=e.near,this.far=e.far,this.focus=e.focus,this.aspect=e.aspect,this.view=e.view===null?null:Object.assign({},e.view),this.filmGauge=e.filmGauge,this.filmOffset=e.filmOffset,this}setFocalLength(e){let t=.5*this.getFilmHeight()/e;this.fov=bo*2*Math.atan(t),this.updateProjectionMatrix()}getFocalLength(){let e=Math.tan(fa*.5*this.fov);return .5*this.getFilmHeight()/e}getEffectiveFOV(){return bo*2*Math.atan(Math.tan(fa*.5*this.fov)/this.zoom)}getFilmWidth(){return this.filmGauge*Math.min(this.aspect,1)}getFilmHeight(){return this.filmGauge/Math.max(this.aspect,1)}getViewBounds(e,t,n){Hs.set(-1,-1,.5).applyMatrix4(this.projectionMatrixInverse),t.set(Hs.x,Hs.y).multiplyScalar(-e/Hs.z),Hs.set(1,1,.5).applyMatrix4(this.projectionMatrixInverse),n.set(Hs.x,Hs.y).multiplyScalar(-e/Hs.z)}getViewSize(e,t){return this.getViewBounds(e,I0,L0),t.subVectors(L0,I0)}setViewOffset(e,t,n,s,r,o){this.aspect=e/t,this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=this.near,t=e*Math.tan(fa*.5*this.fov)/this.zoom,n=2*t,s=this.aspect*n,r=-.5*s,o=this.view;if(this.view!==null&&this.view.enabled){let l=o.fullWidth,c=o.fullHeight;r+=o.offsetX*s/l,t-=o.offsetY*n/c,s*=o.width/l,n*=o.height/c}let a=this.filmOffset;a!==0&&(r+=e*a/this.getFilmWidth()),this.projectionMatrix.makePerspective(r,r+s,t,t-n,e,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.fov=this.fov,t.object.zoom=this.zoom,t.object.near=this.near,t.object.far=this.far,t.object.focus=this.focus,t.object.aspect=this.aspect,this.view!==null&&(t.object.view=Object.assign({},this.view)),t.object.filmGauge=this.filmGauge,t.object.filmOffset=this.filmOffset,t}};var Zc=class extends Da{constructor(e=-1,t=1,n=1,s=-1,r=.1,o=2e3){super(),this.isOrthographicCamera=!0,this.type="OrthographicCamera",this.zoom=1,this.view=null,this.left=e,this.right=t,this.top=n,this.bottom=s,this.near=r,this.far=o,this.updateProjectionMatrix()}copy(e,t){return super.copy(e,t),this.left=e.left,this.right=e.right,this.top=e.top,this.bottom=e.bottom,this.near=e.near,this.far=e.far,this.zoom=e.zoom,this.view=e.view===null?null:Object.assign({},e.view),this}setViewOffset(e,t,n,s,r,o){this.view===null&&(this.view={enabled:!0,fullWidth:1,fullHeight:1,offsetX:0,offsetY:0,width:1,height:1}),this.view.enabled=!0,this.view.fullWidth=e,this.view.fullHeight=t,this.view.offsetX=n,this.view.offsetY=s,this.view.width=r,this.view.height=o,this.updateProjectionMatrix()}clearViewOffset(){this.view!==null&&(this.view.enabled=!1),this.updateProjectionMatrix()}updateProjectionMatrix(){let e=(this.right-this.left)/(2*this.zoom),t=(this.top-this.bottom)/(2*this.zoom),n=(this.right+this.left)/2,s=(this.top+this.bottom)/2,r=n-e,o=n+e,a=s+t,l=s-t;if(this.view!==null&&this.view.enabled){let c=(this.right-this.left)/this.view.fullWidth/this.zoom,h=(this.top-this.bottom)/this.view.fullHeight/this.zoom;r+=c*this.view.offsetX,o=r+c*this.view.width,a-=h*this.view.offsetY,l=a-h*this.view.height}this.projectionMatrix.makeOrthographic(r,o,a,l,this.near,this.far,this.coordinateSystem,this.reversedDepth),this.projectionMatrixInverse.copy(this.projectionMatrix).invert()}toJSON(e){let t=super.toJSON(e);return t.object.zoom=this.zoom,t.object.left=this.left,t.object.right=this.right,t.object.top=this.top,t.object.bottom=this.bottom,t.object.near=this.near,t.object.far=this.far,this.view!==null&&(t.object.view=Object.assign({},this.view)),t}};var Na=class extends tn{constructor(){super(),this.isInstancedBufferGeometry=!0,this.type="InstancedBufferGeometry",this.instanceCount=1/0}copy(e){return super.copy(e),this.instanceCount=e.instanceCount,this}toJSON(){let e=super.toJSON();return e.instanceCount=this.instanceCount,e.isInstancedBufferGeometry=!0,e}};var po=-90,mo=1,Ro=class extends ni{constructor(e,t,n){super(),this.type="CubeCamera",this.renderTarget=n,this.coordinateSystem=null,this.activeMipmapLevel=0;let s=new Jn(po,mo,e,t);s.layers=this.layers,this.add(s);let r=new Jn(po,mo,e,t);r.layers=this.layers,this.add(r);let o=new Jn(po,mo,e,t);o.layers=this.layers,this.add(o);let a=new Jn(po,mo,e,t);a.layers=this.layers,this.add(a);let l=new Jn(po,mo,e,t);l.layers=this.layers,this.add(l);let c=new Jn(po,mo,e,t);c.layers=this.layers,this.add(c)}updateCoordinateSystem(){let e=this.coordinateSystem,t=this.children.concat(),[n,s,r,o,a,l]=t;for(let c of t)this.remove(c);if(e===Ai)n.up.set(0,1,0),n.lookAt(1,0,0),s.up.set(0,1,0),s.lookAt(-1,0,0),r.up.set(0,0,-1),r.lookAt(0,1,0),o.up.set(0,0,1),o.lookAt(0,-1,0),a.up.set(0,1,0),a.lookAt(0,0,1),l.up.set(0,1,0),l.lookAt(0,0,-1);else if(e===_a)n.up.set(0,-1,0),n.lookAt(-1,0,0),s.up.set(0,-1,0),s.lookAt(1,0,0),r.up.set(0,0,1),r.lookAt(0,1,0),o.up.set(0,0,-1),o.lookAt(0,-1,0),a.up.set(0,-1,0),a.lookAt(0,0,1),l.up.set(0,-1,0),l.lookAt(0,0,-1);else throw new Error("THREE.CubeCamera.updateCoordinateSystem(): Invalid coordinate system: "+e);for(let c of t)this.add(c),c.updateMatrixWorld()}update(e,t){this.parent===null&&this.updateMatrixWorld();let{renderTarget:n,activeMipmapLevel:s}=this;this.coordinateSystem!==e.coordinateSystem&&(this.coordinateSystem=e.coordinateSystem,this.updateCoordinateSystem());let[r,o,a,l,c,h]=this.children,u=e.getRenderTarget(),d=e.getActiveCubeFace(),f=e.getActiveMipmapLevel(),m=e.xr.enabled;e.xr.enabled=!1;let x=n.texture.mipmapsAutoUpdate;n.texture.mipmapsAutoUpdate=!1;let g=!1;e.isWebGLRenderer===!0?g=e.state.buffers.depth.getReversed():g=e.reversedDepthBuffer,e.setRenderTarget(n,0,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,r),e.setRenderTarget(n,1,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,o),e.setRenderTarget(n,2,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,a),e.setRenderTarget(n,3,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,l),e.setRenderTarget(n,4,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,c),n.texture.mipmapsAutoUpdate=x,e.setRenderTarget(n,5,s),g&&e.autoClear===!1&&e.clearDepth(),e.render(t,h),e.setRenderTarget(u,d,f),e.xr.enabled=m,n.texture.needsPMREMUpdate=!0}},Kc=class extends Jn{constructor(e=[]){super(),this.isArrayCamera=!0,this.isMultiViewCamera=!1,this.cameras=e,this.perCameraFrustumCulled=!1}};var vf="\\[\\]\\.:\\/",j2=new RegExp("["+vf+"]","g"),bf="[^"+vf+"]",Q2="[^"+vf.replace("\\.","")+"]",ex=/((?:WC+[\/:])*)/.source.replace("WC",bf),tx=/(WCOD+)?/.source.replace("WCOD",Q2),nx=/(?:\.(WC+)(?:\[(.+)\])?)?/.source.replace("WC",bf),ix=/\.(WC+)(?:\[(.+)\])?/.source.replace("WC",bf),sx=new RegExp("^"+ex+tx+nx+ix+"$"),rx=["material","materials","bones","map"],kd=class{constructor(e,t,n){let s=n||Xt.parseTrackName(t);this._targetGroup=e,this._bindings=e.subscribe_(t,s)}getValue(e,t){this.bind();let n=this._targetGroup.nCachedObjects_,s=this._bindings[n];s!==void 0&&s.getValue(e,t)}setValue(e,t){let n=this._bindings;for(let s=this._targetGroup.nCachedObjects_,r=n.length;s!==r;++s)n[s].setValue(e,t)}bind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].bind()}unbind(){let e=this._bindings;for(let t=this._targetGroup.nCachedObjects_,n=e.length;t!==n;++t)e[t].unbind()}},Xt=class i{constructor(e,t,n){this.path=t,this.parsedPath=n||i.parseTrackName(t),this.node=i.findNode(e,this.parsedPath.nodeName),this.rootNode=e,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}static create(e,t,n){return e&&e.isAnimationObjectGroup?new i.Composite(e,t,n):new i(e,t,n)}static sanitizeNodeName(e){return e.replace(/\s/g,"_").replace(j2,"")}static parseTrackName(e){let t=sx.exec(e);if(t===null)throw new Error("THREE.PropertyBinding: Cannot parse trackName: "+e);let n={nodeName:t[2],objectName:t[3],objectIndex:t[4],propertyName:t[5],propertyIndex:t[6]},s=n.nodeName&&n.nodeName.lastIndexOf(".");if(s!==void 0&&s!==-1){let r=n.nodeName.substring(s+1);rx.indexOf(r)!==-1&&(n.nodeName=n.nodeName.substring(0,s),n.objectName=r)}if(n.propertyName===null||n.propertyName.length===0)throw new Error("THREE.PropertyBinding: can not parse propertyName from trackName: "+e);return n}static findNode(e,t){if(t===void 0||t===""||t==="."||t===-1||t===e.name||t===e.uuid)return e;if(e.skeleton){let n=e.skeleton.getBoneByName(t);if(n!==void 0)return n}if(e.children){let n=function(r){for(let o=0;o<r.length;o++){let a=r[o];if(a.name===t||a.uuid===t)return a;let l=n(a.children);if(l)return l}return null},s=n(e.children);if(s)return s}return null}_getValue_unavailable(){}_setValue_unavailable(){}_getValue_direct(e,t){e[t]=this.targetObject[this.propertyName]}_getValue_array(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)e[t++]=n[s]}_getValue_arrayElement(e,t){e[t]=this.resolvedProperty[this.propertyIndex]}_getValue_toArray(e,t){this.resolvedProperty.toArray(e,t)}_setValue_direct(e,t){this.targetObject[this.propertyName]=e[t]}_setValue_direct_setNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.needsUpdate=!0}_setValue_direct_setMatrixWorldNeedsUpdate(e,t){this.targetObject[this.propertyName]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_array(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++]}_setValue_array_setNeedsUpdate(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++];this.targetObject.needsUpdate=!0}_setValue_array_setMatrixWorldNeedsUpdate(e,t){let n=this.resolvedProperty;for(let s=0,r=n.length;s!==r;++s)n[s]=e[t++];this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_arrayElement(e,t){this.resolvedProperty[this.propertyIndex]=e[t]}_setValue_arrayElement_setNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.needsUpdate=!0}_setValue_arrayElement_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty[this.propertyIndex]=e[t],this.targetObject.matrixWorldNeedsUpdate=!0}_setValue_fromArray(e,t){this.resolvedProperty.fromArray(e,t)}_setValue_fromArray_setNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.needsUpdate=!0}_setValue_fromArray_setMatrixWorldNeedsUpdate(e,t){this.resolvedProperty.fromArray(e,t),this.targetObject.matrixWorldNeedsUpdate=!0}_getValue_unbound(e,t){this.bind(),this.getValue(e,t)}_setValue_unbound(e,t){this.bind(),this.setValue(e,t)}bind(){let e=this.node,t=this.parsedPath,n=t.objectName,s=t.propertyName,r=t.propertyIndex;if(e||(e=i.findNode(this.rootNode,t.nodeName),this.node=e),this.getValue=this._getValue_unavailable,this.setValue=this._setValue_unavailable,!e){qe("PropertyBinding: No target node found for track: "+this.path+".");return}if(n){let c=t.objectIndex;switch(n){case"materials":if(!e.material){Qe("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.materials){Qe("PropertyBinding: Can not bind to material.materials as node.material does not have a materials array.",this);return}e=e.material.materials;break;case"bones":if(!e.skeleton){Qe("PropertyBinding: Can not bind to bones as node does not have a skeleton.",this);return}e=e.skeleton.bones;for(let h=0;h<e.length;h++)if(e[h].name===c){c=h;break}break;case"map":if("map"in e){e=e.map;break}if(!e.material){Qe("PropertyBinding: Can not bind to material as node does not have a material.",this);return}if(!e.material.map){Qe("PropertyBinding: Can not bind to material.map as node.material does not have a map.",this);return}e=e.material.map;break;default:if(e[n]===void 0){Qe("PropertyBinding: Can not bind to objectName of node undefined.",this);return}e=e[n]}if(c!==void 0){if(e[c]===void 0){Qe("PropertyBinding: Trying to bind to objectIndex of objectName, but is undefined.",this,e);return}e=e[c]}}let o=e[s];if(o===void 0){let c=t.nodeName;Qe("PropertyBinding: Trying to update property for track: "+c+"."+s+" but it wasn't found.",e);return}let a=this.Versioning.None;this.targetObject=e,e.isMaterial===!0?a=this.Versioning.NeedsUpdate:e.isObject3D===!0&&(a=this.Versioning.MatrixWorldNeedsUpdate);let l=this.BindingType.Direct;if(r!==void 0){if(s==="morphTargetInfluences"){if(!e.geometry){Qe("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.",this);return}if(!e.geometry.morphAttributes){Qe("PropertyBinding: Can not bind to morphTargetInfluences because node does not have a geometry.morphAttributes.",this);return}e.morphTargetDictionary[r]!==void 0&&(r=e.morphTargetDictionary[r])}l=this.BindingType.ArrayElement,this.resolvedProperty=o,this.propertyIndex=r}else o.fromArray!==void 0&&o.toArray!==void 0?(l=this.BindingType.HasFromToArray,this.resolvedProperty=o):Array.isArray(o)?(l=this.BindingType.EntireArray,this.resolvedProperty=o):this.propertyName=s;this.getValue=this.GetterByBindingType[l],this.setValue=this.SetterByBindingTypeAndVersioning[l][a]}unbind(){this.node=null,this.getValue=this._getValue_unbound,this.setValue=this._setValue_unbound}};Xt.Composite=kd;Xt.prototype.BindingType={Direct:0,EntireArray:1,ArrayElement:2,HasFromToArray:3};Xt.prototype.Versioning={None:0,NeedsUpdate:1,MatrixWorldNeedsUpdate:2};Xt.prototype.GetterByBindingType=[Xt.prototype._getValue_direct,Xt.prototype._getValue_array,Xt.prototype._getValue_arrayElement,Xt.prototype._getValue_toArray];Xt.prototype.SetterByBindingTypeAndVersioning=[[Xt.prototype._setValue_direct,Xt.prototype._setValue_direct_setNeedsUpdate,Xt.prototype._setValue_direct_setMatrixWorldNeedsUpdate],[Xt.prototype._setValue_array,Xt.prototype._setValue_array_setNeedsUpdate,Xt.prototype._setValue_array_setMatrixWorldNeedsUpdate],[Xt.prototype._setValue_arrayElement,Xt.prototype._setValue_arrayElement_setNeedsUpdate,Xt.prototype._setValue_arrayElement_setMatrixWorldNeedsUpdate],[Xt.prototype._setValue_fromArray,Xt.prototype._setValue_fromArray_setNeedsUpdate,Xt.prototype._setValue_fromArray_setMatrixWorldNeedsUpdate]];var q4=new Float32Array(1);var ts=class extends Rc{constructor(e,t,n=1){super(e,t),this.isInstancedInterleavedBuffer=!0,this.meshPerAttribute=n}copy(e){return super.copy(e),this.meshPerAttribute=e.meshPerAttribute,this}clone(e){let t=super.clone(e);return t.meshPerAttribute=this.meshPerAttribute,t}toJSON(e){let t=super.toJSON(e);return t.isInstancedInterleavedBuffer=!0,t.meshPerAttribute=this.meshPerAttribute,t}};var Co=class{constructor(e=1,t=0,n=0){this.radius=e,this.phi=t,this.theta=n}set(e,t,n){return this.radius=e,this.phi=t,this.theta=n,this}copy(e){return this.radius=e.radius,this.phi=e.phi,this.theta=e.theta,this}makeSafe(){return this.phi=ot(this.phi,1e-6,Math.PI-1e-6),this}setFromVector3(e){return this.setFromCartesianCoords(e.x,e.y,e.z)}setFromCartesianCoords(e,t,n){return this.radius=Math.sqrt(e*e+t*t+n*n),this.radius===0?(this.theta=0,this.phi=0):(this.theta=Math.atan2(e,n),this.phi=Math.acos(ot(t/this.radius,-1,1))),this}clone(){return new this.constructor().copy(this)}};var Bd=class{static{this.prototype.isMatrix2=!0}constructor(e,t,n,s){this.elements=[1,0,0,1],e!==void 0&&this.set(e,t,n,s)}identity(){return this.set(1,0,0,1),this}fromArray(e,t=0){for(let n=0;n<4;n++)this.elements[n]=e[n+t];return this}set(e,t,n,s){let r=this.elements;return r[0]=e,r[2]=t,r[1]=n,r[3]=s,this}};var D0=new V,dc=new V,go=new V,_o=new V,Ld=new V,ox=new V,ax=new V,Fa=class{constructor(e=new V,t=new V){this.start=e,this.end=t}set(e,t){return this.start.copy(e),this.end.copy(t),this}copy(e){return this.start.copy(e.start),this.end.copy(e.end),this}getCenter(e){return e.addVectors(this.start,this.end).multiplyScalar(.5)}delta(e){return e.subVectors(this.end,this.start)}distanceSq(){return this.start.distanceToSquared(this.end)}distance(){return this.start.distanceTo(this.end)}at(e,t){return this.delta(t).multiplyScalar(e).add(this.start)}closestPointToPointParameter(e,t){D0.subVectors(e,this.start),dc.subVectors(this.end,this.start);let n=dc.dot(dc);if(n===0)return 0;let r=dc.dot(D0)/n;return t&&(r=ot(r,0,1)),r}closestPointToPoint(e,t,n){let s=this.closestPointToPointParameter(e,t);return this.delta(n).multiplyScalar(s).add(this.start)}distanceSqToLine3(e,t=ox,n=ax){let s=10000000000000001e-32,r,o,a=this.start,l=e.start,c=this.end,h=e.end;go.subVectors(c,a),_o.subVectors(h,l),Ld.subVectors(a,l);let u=go.dot(go),d=_o.dot(_o),f=_o.dot(Ld);if(u<=s&&d<=s)return t.copy(a),n.copy(l),t.distanceToSquared(n);if(u<=s)r=0,o=f/d,o=ot(o,0,1);else{let m=go.dot(Ld);if(d<=s)o=0,r=ot(-m/u,0,1);else{let x=go.dot(_o),g=u*d-x*x;g!==0?r=ot((x*f-m*d)/g,0,1):r=0,o=(x*r+f)/d,o<0?(o=0,r=ot(-m/u,0,1)):o>1&&(o=1,r=ot((x-m)/u,0,1))}}return t.copy(a).addScaledVector(go,r),n.copy(l).addScaledVector(_o,o),t.distanceToSquared(n)}applyMatrix4(e){return this.start.applyMatrix4(e),this.end.applyMatrix4(e),this}equals(e){return e.start.equals(this.start)&&e.end.equals(this.end)}clone(){return new this.constructor().copy(this)}};var Ua=class extends Bi{constructor(e,t=null){super(),this.object=e,this.domElement=t,this.enabled=!0,this.state=-1,this.keys={},this.mouseButtons={LEFT:null,MIDDLE:null,RIGHT:null},this.touches={ONE:null,TWO:null}}connect(e){this.domElement!==null&&this.disconnect(),this.domElement=e}disconnect(){}dispose(){}update(){}};function Sf(i,e,t,n){let s=lx(n);switch(t){case of:return i*e;case lf:return i*e/s.components*s.byteLength;case ih:return i*e/s.components*s.byteLength;case er:return i*e*2/s.components*s.byteLength;case sh:return i*e*2/s.components*s.byteLength;case af:return i*e*3/s.components*s.byteLength;case Hi:return i*e*4/s.components*s.byteLength;case rh:return i*e*4/s.components*s.byteLength;case Ba:case za:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case Va:case Ga:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case ah:case ch:return Math.max(i,16)*Math.max(e,8)/4;case oh:case lh:return Math.max(i,8)*Math.max(e,8)/2;case hh:case uh:case fh:case ph:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*8;case dh:case Ha:case mh:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case gh:return Math.floor((i+3)/4)*Math.floor((e+3)/4)*16;case _h:return Math.floor((i+4)/5)*Math.floor((e+3)/4)*16;case yh:return Math.floor((i+4)/5)*Math.floor((e+4)/5)*16;case xh:return Math.floor((i+5)/6)*Math.floor((e+4)/5)*16;case vh:return Math.floor((i+5)/6)*Math.floor((e+5)/6)*16;case bh:return Math.floor((i+7)/8)*Math.floor((e+4)/5)*16;case Sh:return Math.floor((i+7)/8)*Math.floor((e+5)/6)*16;case Mh:return Math.floor((i+7)/8)*Math.floor((e+7)/8)*16;case wh:return Math.floor((i+9)/10)*Math.floor((e+4)/5)*16;case Eh:return Math.floor((i+9)/10)*Math.floor((e+5)/6)*16;case Th:return Math.floor((i+9)/10)*Math.floor((e+7)/8)*16;case Ah:return Math.floor((i+9)/10)*Math.floor((e+9)/10)*16;case Rh:return Math.floor((i+11)/12)*Math.floor((e+9)/10)*16;case Ch:return Math.floor((i+11)/12)*Math.floor((e+11)/12)*16;case Ph:case Ih:case Lh:return Math.ceil(i/4)*Math.ceil(e/4)*16;case Dh:case Nh:return Math.ceil(i/4)*Math.ceil(e/4)*8;case Wa:case Fh:return Math.ceil(i/4)*Math.ceil(e/4)*16}throw new Error(`Unable to determine texture byte length for ${t} format.`)}function lx(i){switch(i){case bi:case tf:return{byteLength:1,components:1};case Do:case nf:case Gi:return{byteLength:2,components:1};case th:case nh:return{byteLength:2,components:4};case zi:case eh:case Vi:return{byteLength:4,components:1};case sf:case rf:return{byteLength:4,components:3}}throw new Error(`THREE.TextureUtils: Unknown texture type ${i}.`)}typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("register",{detail:{revision:"187"}}));typeof window<"u"&&(window.__THREE__?qe("WARNING: Multiple instances of Three.js being imported."):window.__THREE__="187");function z1(){let i=null,e=!1,t=null,n=null;function s(r,o){n=i.requestAnimationFrame(s),t(r,o)}return{start:function(){e!==!0&&t!==null&&i!==null&&(n=i.requestAnimationFrame(s),e=!0)},stop:function(){i!==null&&i.cancelAnimationFrame(n),e=!1},setAnimationLoop:function(r){t=r},setContext:function(r){i=r}}}function hx(i){let e=new WeakMap;function t(a,l){let c=a.array,h=a.usage,u=c.byteLength,d=i.createBuffer();i.bindBuffer(l,d),i.bufferData(l,c,h),a.onUploadCallback();let f;if(c instanceof Float32Array)f=i.FLOAT;else if(typeof Float16Array<"u"&&c instanceof Float16Array)f=i.HALF_FLOAT;else if(c instanceof Uint16Array)a.isFloat16BufferAttribute?f=i.HALF_FLOAT:f=i.UNSIGNED_SHORT;else if(c instanceof Int16Array)f=i.SHORT;else if(c instanceof Uint32Array)f=i.UNSIGNED_INT;else if(c instanceof Int32Array)f=i.INT;else if(c instanceof Int8Array)f=i.BYTE;else if(c instanceof Uint8Array)f=i.UNSIGNED_BYTE;else if(c instanceof Uint8ClampedArray)f=i.UNSIGNED_BYTE;else throw new Error("THREE.WebGLAttributes: Unsupported buffer data format: "+c);return{buffer:d,type:f,bytesPerElement:c.BYTES_PER_ELEMENT,version:a.version,size:u}}function n(a,l,c){let h=l.array,u=l.updateRanges;if(i.bindBuffer(c,a),u.length===0)i.bufferSubData(c,0,h);else{u.sort((f,m)=>f.start-m.start);let d=0;for(let f=1;f<u.length;f++){let m=u[d],x=u[f];x.start<=m.start+m.count+1?m.count=Math.max(m.count,x.start+x.count-m.start):(++d,u[d]=x)}u.length=d+1;for(let f=0,m=u.length;f<m;f++){let x=u[f];i.bufferSubData(c,x.start*h.BYTES_PER_ELEMENT,h,x.start,x.count)}l.clearUpdateRanges()}l.onUploadCallback()}function s(a){return a.isInterleavedBufferAttribute&&(a=a.data),e.get(a)}function r(a){a.isInterleavedBufferAttribute&&(a=a.data);let l=e.get(a);l&&(i.deleteBuffer(l.buffer),e.delete(a))}function o(a,l){if(a.isInterleavedBufferAttribute&&(a=a.data),a.isGLBufferAttribute){let h=e.get(a);(!h||h.version<a.version)&&e.set(a,{buffer:a.buffer,type:a.type,bytesPerElement:a.elementSize,version:a.version});return}let c=e.get(a);if(c===void 0)e.set(a,t(a,l));else if(c.version<a.version){if(c.size!==a.array.byteLength)throw new Error("THREE.WebGLAttributes: The size of the buffer attribute's array buffer does not match the original size. Resizing buffer attributes is not supported.");n(c.buffer,a,l),c.version=a.version}}return{get:s,remove:r,update:o}}var ux=`#ifdef USE_ALPHAHASH
	if ( diffuseColor.a < getAlphaHashThreshold( vPosition ) ) discard;
#endif`,dx=`#ifdef USE_ALPHAHASH
	const float ALPHA_HASH_SCALE = 0.05;
	float hash2D( vec2 value ) {
		return fract( 1.0e4 * sin( 17.0 * value.x + 0.1 * value.y ) * ( 0.1 + abs( sin( 13.0 * value.y + value.x ) ) ) );
	}
	float hash3D( vec3 value ) {
		return hash2D( vec2( hash2D( value.xy ), value.z ) );
	}
	float getAlphaHashThreshold( vec3 position ) {
		float maxDeriv = max(
			length( dFdx( position.xyz ) ),
			length( dFdy( position.xyz ) )
		);
		float pixScale = 1.0 / ( ALPHA_HASH_SCALE * maxDeriv );
		vec2 pixScales = vec2(
			exp2( floor( log2( pixScale ) ) ),
			exp2( ceil( log2( pixScale ) ) )
		);
		vec2 alpha = vec2(
			hash3D( floor( pixScales.x * position.xyz ) ),
			hash3D( floor( pixScales.y * position.xyz ) )
		);
		float lerpFactor = fract( log2( pixScale ) );
		float x = ( 1.0 - lerpFactor ) * alpha.x + lerpFactor * alpha.y;
		float a = min( lerpFactor, 1.0 - lerpFactor );
		vec3 cases = vec3(
			x * x / ( 2.0 * a * ( 1.0 - a ) ),
			( x - 0.5 * a ) / ( 1.0 - a ),
			1.0 - ( ( 1.0 - x ) * ( 1.0 - x ) / ( 2.0 * a * ( 1.0 - a ) ) )
		);
		float threshold = ( x < ( 1.0 - a ) )
			? ( ( x < a ) ? cases.x : cases.y )
			: cases.z;
		return clamp( threshold , 1.0e-6, 1.0 );
	}
#endif`,fx=`#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, vAlphaMapUv ).g;
#endif`,px=`#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,mx=`#ifdef USE_ALPHATEST
	#ifdef ALPHA_TO_COVERAGE
	diffuseColor.a = smoothstep( alphaTest, alphaTest + fwidth( diffuseColor.a ), diffuseColor.a );
	if ( diffuseColor.a == 0.0 ) discard;
	#else
	if ( diffuseColor.a < alphaTest ) discard;
	#endif
#endif`,gx=`#ifdef USE_ALPHATEST
	uniform float alphaTest;
#endif`,_x=`#ifdef USE_AOMAP
	float ambientOcclusion = ( texture2D( aoMap, vAoMapUv ).r - 1.0 ) * aoMapIntensity + 1.0;
	reflectedLight.indirectDiffuse *= ambientOcclusion;
	#if defined( USE_CLEARCOAT ) 
		clearcoatSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_SHEEN ) 
		sheenSpecularIndirect *= ambientOcclusion;
	#endif
	#if defined( USE_ENVMAP ) && defined( STANDARD )
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		reflectedLight.indirectSpecular *= computeSpecularOcclusion( dotNV, ambientOcclusion, material.roughness );
	#endif
#endif`,yx=`#ifdef USE_AOMAP
	uniform sampler2D aoMap;
	uniform float aoMapIntensity;
#endif`,xx=`#ifdef USE_BATCHING
	#if ! defined( GL_ANGLE_multi_draw )
	#define gl_DrawID _gl_DrawID
	uniform int _gl_DrawID;
	#endif
	uniform highp sampler2D batchingTexture;
	uniform highp usampler2D batchingIdTexture;
	mat4 getBatchingMatrix( const in float i ) {
		int size = textureSize( batchingTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( batchingTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( batchingTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( batchingTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( batchingTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
	float getIndirectIndex( const in int i ) {
		int size = textureSize( batchingIdTexture, 0 ).x;
		int x = i % size;
		int y = i / size;
		return float( texelFetch( batchingIdTexture, ivec2( x, y ), 0 ).r );
	}
#endif
#ifdef USE_BATCHING_COLOR
	uniform sampler2D batchingColorTexture;
	vec4 getBatchingColor( const in float i ) {
		int size = textureSize( batchingColorTexture, 0 ).x;
		int j = int( i );
		int x = j % size;
		int y = j / size;
		return texelFetch( batchingColorTexture, ivec2( x, y ), 0 );
	}
#endif`,vx=`#ifdef USE_BATCHING
	mat4 batchingMatrix = getBatchingMatrix( getIndirectIndex( gl_DrawID ) );
#endif`,bx=`vec3 transformed = vec3( position );
#ifdef USE_ALPHAHASH
	vPosition = vec3( position );
#endif`,Sx=`vec3 objectNormal = vec3( normal );
#ifdef USE_TANGENT
	vec3 objectTangent = vec3( tangent.xyz );
#endif`,Mx=`float G_BlinnPhong_Implicit( ) {
	return 0.25;
}
float D_BlinnPhong( const in float shininess, const in float dotNH ) {
	return RECIPROCAL_PI * ( shininess * 0.5 + 1.0 ) * pow( dotNH, shininess );
}
vec3 BRDF_BlinnPhong( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 specularColor, const in float shininess ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( specularColor, 1.0, dotVH );
	float G = G_BlinnPhong_Implicit( );
	float D = D_BlinnPhong( shininess, dotNH );
	return F * ( G * D );
} // validated`,wx=`#ifdef USE_IRIDESCENCE
	const mat3 XYZ_TO_REC709 = mat3(
		 3.2404542, -0.9692660,  0.0556434,
		-1.5371385,  1.8760108, -0.2040259,
		-0.4985314,  0.0415560,  1.0572252
	);
	vec3 Fresnel0ToIor( vec3 fresnel0 ) {
		vec3 sqrtF0 = sqrt( fresnel0 );
		return ( vec3( 1.0 ) + sqrtF0 ) / ( vec3( 1.0 ) - sqrtF0 );
	}
	vec3 IorToFresnel0( vec3 transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - vec3( incidentIor ) ) / ( transmittedIor + vec3( incidentIor ) ) );
	}
	float IorToFresnel0( float transmittedIor, float incidentIor ) {
		return pow2( ( transmittedIor - incidentIor ) / ( transmittedIor + incidentIor ));
	}
	vec3 evalSensitivity( float OPD, vec3 shift ) {
		float phase = 2.0 * PI * OPD * 1.0e-9;
		vec3 val = vec3( 5.4856e-13, 4.4201e-13, 5.2481e-13 );
		vec3 pos = vec3( 1.6810e+06, 1.7953e+06, 2.2084e+06 );
		vec3 var = vec3( 4.3278e+09, 9.3046e+09, 6.6121e+09 );
		vec3 xyz = val * sqrt( 2.0 * PI * var ) * cos( pos * phase + shift ) * exp( - pow2( phase ) * var );
		xyz.x += 9.7470e-14 * sqrt( 2.0 * PI * 4.5282e+09 ) * cos( 2.2399e+06 * phase + shift[ 0 ] ) * exp( - 4.5282e+09 * pow2( phase ) );
		xyz /= 1.0685e-7;
		vec3 rgb = XYZ_TO_REC709 * xyz;
		return rgb;
	}
	vec3 evalIridescence( float outsideIOR, float eta2, float cosTheta1, float thinFilmThickness, vec3 baseF0 ) {
		vec3 I;
		float iridescenceIOR = mix( outsideIOR, eta2, smoothstep( 0.0, 0.03, thinFilmThickness ) );
		float sinTheta2Sq = pow2( outsideIOR / iridescenceIOR ) * ( 1.0 - pow2( cosTheta1 ) );
		float cosTheta2Sq = 1.0 - sinTheta2Sq;
		if ( cosTheta2Sq < 0.0 ) {
			return vec3( 1.0 );
		}
		float cosTheta2 = sqrt( cosTheta2Sq );
		float R0 = IorToFresnel0( iridescenceIOR, outsideIOR );
		float R12 = F_Schlick( R0, 1.0, cosTheta1 );
		float T121 = 1.0 - R12;
		float phi12 = 0.0;
		if ( iridescenceIOR < outsideIOR ) phi12 = PI;
		float phi21 = PI - phi12;
		vec3 baseIOR = Fresnel0ToIor( clamp( baseF0, 0.0, 0.9999 ) );		vec3 R1 = IorToFresnel0( baseIOR, iridescenceIOR );
		vec3 R23 = F_Schlick( R1, 1.0, cosTheta2 );
		vec3 phi23 = vec3( 0.0 );
		if ( baseIOR[ 0 ] < iridescenceIOR ) phi23[ 0 ] = PI;
		if ( baseIOR[ 1 ] < iridescenceIOR ) phi23[ 1 ] = PI;
		if ( baseIOR[ 2 ] < iridescenceIOR ) phi23[ 2 ] = PI;
		float OPD = 2.0 * iridescenceIOR * thinFilmThickness * cosTheta2;
		vec3 phi = vec3( phi21 ) + phi23;
		vec3 R123 = clamp( R12 * R23, 1e-5, 0.9999 );
		vec3 r123 = sqrt( R123 );
		vec3 Rs = pow2( T121 ) * R23 / ( vec3( 1.0 ) - R123 );
		vec3 C0 = R12 + Rs;
		I = C0;
		vec3 Cm = Rs - T121;
		for ( int m = 1; m <= 2; ++ m ) {
			Cm *= r123;
			vec3 Sm = 2.0 * evalSensitivity( float( m ) * OPD, float( m ) * phi );
			I += Cm * Sm;
		}
		return max( I, vec3( 0.0 ) );
	}
#endif`,Ex=`#ifdef USE_BUMPMAP
	uniform sampler2D bumpMap;
	uniform float bumpScale;
	vec2 dHdxy_fwd() {
		vec2 dSTdx = dFdx( vBumpMapUv );
		vec2 dSTdy = dFdy( vBumpMapUv );
		float Hll = bumpScale * texture2D( bumpMap, vBumpMapUv ).x;
		float dBx = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdx ).x - Hll;
		float dBy = bumpScale * texture2D( bumpMap, vBumpMapUv + dSTdy ).x - Hll;
		return vec2( dBx, dBy );
	}
	vec3 perturbNormalArb( vec3 surf_pos, vec3 surf_norm, vec2 dHdxy, float faceDirection ) {
		vec3 vSigmaX = normalize( dFdx( surf_pos.xyz ) );
		vec3 vSigmaY = normalize( dFdy( surf_pos.xyz ) );
		vec3 vN = surf_norm;
		vec3 R1 = cross( vSigmaY, vN );
		vec3 R2 = cross( vN, vSigmaX );
		float fDet = dot( vSigmaX, R1 ) * faceDirection;
		vec3 vGrad = sign( fDet ) * ( dHdxy.x * R1 + dHdxy.y * R2 );
		return normalize( abs( fDet ) * surf_norm - vGrad );
	}
#endif`,Tx=`#if NUM_CLIPPING_PLANES > 0
	vec4 plane;
	#ifdef ALPHA_TO_COVERAGE
		float distanceToPlane, distanceGradient;
		float clipOpacity = 1.0;
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
			distanceGradient = fwidth( distanceToPlane ) / 2.0;
			clipOpacity *= smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			if ( clipOpacity == 0.0 ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			float unionClipOpacity = 1.0;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				distanceToPlane = - dot( vClipPosition, plane.xyz ) + plane.w;
				distanceGradient = fwidth( distanceToPlane ) / 2.0;
				unionClipOpacity *= 1.0 - smoothstep( - distanceGradient, distanceGradient, distanceToPlane );
			}
			#pragma unroll_loop_end
			clipOpacity *= 1.0 - unionClipOpacity;
		#endif
		diffuseColor.a *= clipOpacity;
		if ( diffuseColor.a == 0.0 ) discard;
	#else
		#pragma unroll_loop_start
		for ( int i = 0; i < UNION_CLIPPING_PLANES; i ++ ) {
			plane = clippingPlanes[ i ];
			if ( dot( vClipPosition, plane.xyz ) > plane.w ) discard;
		}
		#pragma unroll_loop_end
		#if UNION_CLIPPING_PLANES < NUM_CLIPPING_PLANES
			bool clipped = true;
			#pragma unroll_loop_start
			for ( int i = UNION_CLIPPING_PLANES; i < NUM_CLIPPING_PLANES; i ++ ) {
				plane = clippingPlanes[ i ];
				clipped = ( dot( vClipPosition, plane.xyz ) > plane.w ) && clipped;
			}
			#pragma unroll_loop_end
			if ( clipped ) discard;
		#endif
	#endif
#endif`,Ax=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
	uniform vec4 clippingPlanes[ NUM_CLIPPING_PLANES ];
#endif`,Rx=`#if NUM_CLIPPING_PLANES > 0
	varying vec3 vClipPosition;
#endif`,Cx=`#if NUM_CLIPPING_PLANES > 0
	vClipPosition = - mvPosition.xyz;
#endif`,Px=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	diffuseColor *= vColor;
#endif`,Ix=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA )
	varying vec4 vColor;
#endif`,Lx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	varying vec4 vColor;
#endif`,Dx=`#if defined( USE_COLOR ) || defined( USE_COLOR_ALPHA ) || defined( USE_INSTANCING_COLOR ) || defined( USE_BATCHING_COLOR )
	vColor = vec4( 1.0 );
#endif
#ifdef USE_COLOR_ALPHA
	vColor *= color;
#elif defined( USE_COLOR )
	vColor.rgb *= color;
#endif
#ifdef USE_INSTANCING_COLOR
	vColor.rgb *= instanceColor.rgb;
#endif
#ifdef USE_BATCHING_COLOR
	vColor *= getBatchingColor( getIndirectIndex( gl_DrawID ) );
#endif`,Nx=`#define PI 3.141592653589793
#define PI2 6.283185307179586
#define PI_HALF 1.5707963267948966
#define RECIPROCAL_PI 0.3183098861837907
#define RECIPROCAL_PI2 0.15915494309189535
#define EPSILON 1e-6
#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
#define whiteComplement( a ) ( 1.0 - saturate( a ) )
float pow2( const in float x ) { return x*x; }
vec3 pow2( const in vec3 x ) { return x*x; }
float pow3( const in float x ) { return x*x*x; }
float pow4( const in float x ) { float x2 = x*x; return x2*x2; }
float max3( const in vec3 v ) { return max( max( v.x, v.y ), v.z ); }
float average( const in vec3 v ) { return dot( v, vec3( 0.3333333 ) ); }
highp float rand( const in vec2 uv ) {
	const highp float a = 12.9898, b = 78.233, c = 43758.5453;
	highp float dt = dot( uv.xy, vec2( a,b ) ), sn = mod( dt, PI );
	return fract( sin( sn ) * c );
}
#ifdef HIGH_PRECISION
	float precisionSafeLength( vec3 v ) { return length( v ); }
#else
	float precisionSafeLength( vec3 v ) {
		float maxComponent = max3( abs( v ) );
		return length( v / maxComponent ) * maxComponent;
	}
#endif
struct IncidentLight {
	vec3 color;
	vec3 direction;
	bool visible;
};
struct ReflectedLight {
	vec3 directDiffuse;
	vec3 directSpecular;
	vec3 indirectDiffuse;
	vec3 indirectSpecular;
};
#ifdef USE_ALPHAHASH
	varying vec3 vPosition;
#endif
vec3 transformDirection( in vec3 dir, in mat4 matrix ) {
	return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );
}
#define inverseTransformDirection transformDirectionByInverseViewMatrix
vec3 transformNormalByInverseViewMatrix( in vec3 normal, in mat4 viewMatrix ) {
	return normalize( ( vec4( normal, 0.0 ) * viewMatrix ).xyz );
}
vec3 transformDirectionByInverseViewMatrix( in vec3 dir, in mat4 viewMatrix ) {
	return normalize( ( vec4( dir, 0.0 ) * viewMatrix ).xyz );
}
bool isPerspectiveMatrix( mat4 m ) {
	return m[ 2 ][ 3 ] == - 1.0;
}
vec2 equirectUv( in vec3 dir ) {
	float u = atan( dir.z, dir.x ) * RECIPROCAL_PI2 + 0.5;
	float v = asin( clamp( dir.y, - 1.0, 1.0 ) ) * RECIPROCAL_PI + 0.5;
	return vec2( u, v );
}
vec3 BRDF_Lambert( const in vec3 diffuseColor ) {
	return RECIPROCAL_PI * diffuseColor;
}
vec3 F_Schlick( const in vec3 f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
}
float F_Schlick( const in float f0, const in float f90, const in float dotVH ) {
	float fresnel = exp2( ( - 5.55473 * dotVH - 6.98316 ) * dotVH );
	return f0 * ( 1.0 - fresnel ) + ( f90 * fresnel );
} // validated`,Fx=`vec3 transformedNormal = objectNormal;
#ifdef USE_TANGENT
	vec3 transformedTangent = objectTangent;
#endif
#ifdef USE_BATCHING
	mat3 bm = mat3( batchingMatrix );
	transformedNormal /= vec3( dot( bm[ 0 ], bm[ 0 ] ), dot( bm[ 1 ], bm[ 1 ] ), dot( bm[ 2 ], bm[ 2 ] ) );
	transformedNormal = bm * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = bm * transformedTangent;
	#endif
#endif
#ifdef USE_INSTANCING
	mat3 im = mat3( instanceMatrix );
	transformedNormal /= vec3( dot( im[ 0 ], im[ 0 ] ), dot( im[ 1 ], im[ 1 ] ), dot( im[ 2 ], im[ 2 ] ) );
	transformedNormal = im * transformedNormal;
	#ifdef USE_TANGENT
		transformedTangent = im * transformedTangent;
	#endif
#endif
transformedNormal = normalMatrix * transformedNormal;
#ifdef FLIP_SIDED
	transformedNormal = - transformedNormal;
#endif
#ifdef USE_TANGENT
	transformedTangent = ( modelViewMatrix * vec4( transformedTangent, 0.0 ) ).xyz;
#endif`,Ux=`#ifdef USE_DISPLACEMENTMAP
	uniform sampler2D displacementMap;
	uniform float displacementScale;
	uniform float displacementBias;
#endif`,Ox=`#ifdef USE_DISPLACEMENTMAP
	transformed += normalize( objectNormal ) * ( texture2D( displacementMap, vDisplacementMapUv ).x * displacementScale + displacementBias );
#endif`,kx=`#ifdef USE_EMISSIVEMAP
	vec4 emissiveColor = texture2D( emissiveMap, vEmissiveMapUv );
	#ifdef DECODE_VIDEO_TEXTURE_EMISSIVE
		emissiveColor = sRGBTransferEOTF( emissiveColor );
	#endif
	totalEmissiveRadiance *= emissiveColor.rgb;
#endif`,Bx=`#ifdef USE_EMISSIVEMAP
	uniform sampler2D emissiveMap;
#endif`,zx="gl_FragColor = linearToOutputTexel( gl_FragColor );",Vx=`vec4 LinearTransferOETF( in vec4 value ) {
	return value;
}
vec4 sRGBTransferEOTF( in vec4 value ) {
	return vec4( mix( pow( value.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), value.rgb * 0.0773993808, vec3( lessThanEqual( value.rgb, vec3( 0.04045 ) ) ) ), value.a );
}
vec4 sRGBTransferOETF( in vec4 value ) {
	return vec4( mix( pow( value.rgb, vec3( 0.41666 ) ) * 1.055 - vec3( 0.055 ), value.rgb * 12.92, vec3( lessThanEqual( value.rgb, vec3( 0.0031308 ) ) ) ), value.a );
}`,Gx=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vec3 cameraToFrag;
		if ( isOrthographic ) {
			cameraToFrag = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToFrag = normalize( vWorldPosition - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vec3 reflectVec = reflect( cameraToFrag, worldNormal );
		#else
			vec3 reflectVec = refract( cameraToFrag, worldNormal, refractionRatio );
		#endif
	#else
		vec3 reflectVec = vReflect;
	#endif
	#ifdef ENVMAP_TYPE_CUBE
		vec4 envColor = textureCube( envMap, envMapRotation * reflectVec );
		#ifdef ENVMAP_BLENDING_MULTIPLY
			outgoingLight = mix( outgoingLight, outgoingLight * envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_MIX )
			outgoingLight = mix( outgoingLight, envColor.xyz, specularStrength * reflectivity );
		#elif defined( ENVMAP_BLENDING_ADD )
			outgoingLight += envColor.xyz * specularStrength * reflectivity;
		#endif
	#endif
#endif`,Hx=`#ifdef USE_ENVMAP
	uniform float envMapIntensity;
	uniform mat3 envMapRotation;
	uniform samplerCube envMap;
	#ifdef ENVMAP_TYPE_PMREM
		float roughnessToMip( const in float roughness ) {
			float r = clamp( roughness, 0.0, 1.0 );
			return ENVMAP_MAX_LOD * r * ( 2.0 - r );
		}
	#endif
#endif`,Wx=`#ifdef USE_ENVMAP
	uniform float reflectivity;
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		varying vec3 vWorldPosition;
		uniform float refractionRatio;
	#else
		varying vec3 vReflect;
	#endif
#endif`,Xx=`#ifdef USE_ENVMAP
	#if defined( USE_BUMPMAP ) || defined( USE_NORMALMAP ) || defined( PHONG ) || defined( LAMBERT )
		#define ENV_WORLDPOS
	#endif
	#ifdef ENV_WORLDPOS
		
		varying vec3 vWorldPosition;
	#else
		varying vec3 vReflect;
		uniform float refractionRatio;
	#endif
#endif`,qx=`#ifdef USE_ENVMAP
	#ifdef ENV_WORLDPOS
		vWorldPosition = worldPosition.xyz;
	#else
		vec3 cameraToVertex;
		if ( isOrthographic ) {
			cameraToVertex = normalize( vec3( - viewMatrix[ 0 ][ 2 ], - viewMatrix[ 1 ][ 2 ], - viewMatrix[ 2 ][ 2 ] ) );
		} else {
			cameraToVertex = normalize( worldPosition.xyz - cameraPosition );
		}
		vec3 worldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
		#ifdef ENVMAP_MODE_REFLECTION
			vReflect = reflect( cameraToVertex, worldNormal );
		#else
			vReflect = refract( cameraToVertex, worldNormal, refractionRatio );
		#endif
	#endif
#endif`,$x=`#ifdef USE_FOG
	vFogDepth = - mvPosition.z;
#endif`,Yx=`#ifdef USE_FOG
	varying float vFogDepth;
#endif`,Zx=`#ifdef USE_FOG
	#ifdef FOG_EXP2
		float fogFactor = 1.0 - exp( - fogDensity * fogDensity * vFogDepth * vFogDepth );
	#else
		float fogFactor = smoothstep( fogNear, fogFar, vFogDepth );
	#endif
	gl_FragColor.rgb = mix( gl_FragColor.rgb, fogColor, fogFactor );
#endif`,Kx=`#ifdef USE_FOG
	uniform vec3 fogColor;
	varying float vFogDepth;
	#ifdef FOG_EXP2
		uniform float fogDensity;
	#else
		uniform float fogNear;
		uniform float fogFar;
	#endif
#endif`,Jx=`#ifdef USE_GRADIENTMAP
	uniform sampler2D gradientMap;
#endif
vec3 getGradientIrradiance( vec3 normal, vec3 lightDirection ) {
	float dotNL = dot( normal, lightDirection );
	vec2 coord = vec2( dotNL * 0.5 + 0.5, 0.0 );
	#ifdef USE_GRADIENTMAP
		return vec3( texture2D( gradientMap, coord ).r );
	#else
		vec2 fw = fwidth( coord ) * 0.5;
		return mix( vec3( 0.7 ), vec3( 1.0 ), smoothstep( 0.7 - fw.x, 0.7 + fw.x, coord.x ) );
	#endif
}`,jx=`#ifdef USE_LIGHTMAP
	uniform sampler2D lightMap;
	uniform float lightMapIntensity;
#endif`,Qx=`LambertMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularStrength = specularStrength;`,e3=`varying vec3 vViewPosition;
struct LambertMaterial {
	vec3 diffuseColor;
	float specularStrength;
};
void RE_Direct_Lambert( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Lambert( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in LambertMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Lambert
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Lambert`,t3=`uniform bool receiveShadow;
uniform vec3 ambientLightColor;
#if defined( USE_LIGHT_PROBES )
	uniform vec3 lightProbe[ 9 ];
#endif
vec3 shGetIrradianceAt( in vec3 normal, in vec3 shCoefficients[ 9 ] ) {
	float x = normal.x, y = normal.y, z = normal.z;
	vec3 result = shCoefficients[ 0 ] * 0.886227;
	result += shCoefficients[ 1 ] * 2.0 * 0.511664 * y;
	result += shCoefficients[ 2 ] * 2.0 * 0.511664 * z;
	result += shCoefficients[ 3 ] * 2.0 * 0.511664 * x;
	result += shCoefficients[ 4 ] * 2.0 * 0.429043 * x * y;
	result += shCoefficients[ 5 ] * 2.0 * 0.429043 * y * z;
	result += shCoefficients[ 6 ] * ( 0.743125 * z * z - 0.247708 );
	result += shCoefficients[ 7 ] * 2.0 * 0.429043 * x * z;
	result += shCoefficients[ 8 ] * 0.429043 * ( x * x - y * y );
	return result;
}
vec3 getLightProbeIrradiance( const in vec3 lightProbe[ 9 ], const in vec3 normal ) {
	vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec3 irradiance = shGetIrradianceAt( worldNormal, lightProbe );
	return irradiance;
}
vec3 getAmbientLightIrradiance( const in vec3 ambientLightColor ) {
	vec3 irradiance = ambientLightColor;
	return irradiance;
}
float getDistanceAttenuation( const in float lightDistance, const in float cutoffDistance, const in float decayExponent ) {
	float distanceFalloff = 1.0 / max( pow( lightDistance, decayExponent ), 0.01 );
	if ( cutoffDistance > 0.0 ) {
		distanceFalloff *= pow2( saturate( 1.0 - pow4( lightDistance / cutoffDistance ) ) );
	}
	return distanceFalloff;
}
float getSpotAttenuation( const in float coneCosine, const in float penumbraCosine, const in float angleCosine ) {
	return smoothstep( coneCosine, penumbraCosine, angleCosine );
}
#if NUM_SUN_LIGHTS > 0
	struct SunLight {
		vec3 direction;
		vec3 color;
	};
	uniform SunLight sunLights[ NUM_SUN_LIGHTS ];
	void getSunLightInfo( const in SunLight sunLight, out IncidentLight light ) {
		light.color = sunLight.color;
		light.direction = sunLight.direction;
		light.visible = true;
	}
#endif
#if NUM_DIR_LIGHTS > 0
	struct DirectionalLight {
		vec3 direction;
		vec3 color;
	};
	uniform DirectionalLight directionalLights[ NUM_DIR_LIGHTS ];
	void getDirectionalLightInfo( const in DirectionalLight directionalLight, out IncidentLight light ) {
		light.color = directionalLight.color;
		light.direction = directionalLight.direction;
		light.visible = true;
	}
#endif
#if NUM_POINT_LIGHTS > 0
	struct PointLight {
		vec3 position;
		vec3 color;
		float distance;
		float decay;
	};
	uniform PointLight pointLights[ NUM_POINT_LIGHTS ];
	void getPointLightInfo( const in PointLight pointLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = pointLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float lightDistance = length( lVector );
		light.color = pointLight.color;
		light.color *= getDistanceAttenuation( lightDistance, pointLight.distance, pointLight.decay );
		light.visible = ( light.color != vec3( 0.0 ) );
	}
#endif
#if NUM_SPOT_LIGHTS > 0
	struct SpotLight {
		vec3 position;
		vec3 direction;
		vec3 color;
		float distance;
		float decay;
		float coneCos;
		float penumbraCos;
	};
	uniform SpotLight spotLights[ NUM_SPOT_LIGHTS ];
	void getSpotLightInfo( const in SpotLight spotLight, const in vec3 geometryPosition, out IncidentLight light ) {
		vec3 lVector = spotLight.position - geometryPosition;
		light.direction = normalize( lVector );
		float angleCos = dot( light.direction, spotLight.direction );
		float spotAttenuation = getSpotAttenuation( spotLight.coneCos, spotLight.penumbraCos, angleCos );
		if ( spotAttenuation > 0.0 ) {
			float lightDistance = length( lVector );
			light.color = spotLight.color * spotAttenuation;
			light.color *= getDistanceAttenuation( lightDistance, spotLight.distance, spotLight.decay );
			light.visible = ( light.color != vec3( 0.0 ) );
		} else {
			light.color = vec3( 0.0 );
			light.visible = false;
		}
	}
#endif
#if NUM_RECT_AREA_LIGHTS > 0
	struct RectAreaLight {
		vec3 color;
		vec3 position;
		vec3 halfWidth;
		vec3 halfHeight;
	};
	uniform sampler2D ltc_1;	uniform sampler2D ltc_2;
	uniform RectAreaLight rectAreaLights[ NUM_RECT_AREA_LIGHTS ];
#endif
#if NUM_HEMI_LIGHTS > 0
	struct HemisphereLight {
		vec3 direction;
		vec3 skyColor;
		vec3 groundColor;
	};
	uniform HemisphereLight hemisphereLights[ NUM_HEMI_LIGHTS ];
	vec3 getHemisphereLightIrradiance( const in HemisphereLight hemiLight, const in vec3 normal ) {
		float dotNL = dot( normal, hemiLight.direction );
		float hemiDiffuseWeight = 0.5 * dotNL + 0.5;
		vec3 irradiance = mix( hemiLight.groundColor, hemiLight.skyColor, hemiDiffuseWeight );
		return irradiance;
	}
#endif
#include <lightprobes_pars_fragment>`,n3=`#ifdef USE_ENVMAP
	vec3 getIBLIrradiance( const in vec3 normal ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 worldNormal = transformNormalByInverseViewMatrix( normal, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * worldNormal, ENVMAP_MAX_LOD );
			return PI * envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	vec3 getIBLRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
		#ifdef ENVMAP_TYPE_PMREM
			vec3 reflectVec = reflect( - viewDir, normal );
			reflectVec = normalize( mix( reflectVec, normal, pow4( roughness ) ) );
			reflectVec = transformDirectionByInverseViewMatrix( reflectVec, viewMatrix );
			vec4 envMapColor = textureLod( envMap, envMapRotation * reflectVec, roughnessToMip( roughness ) );
			return envMapColor.rgb * envMapIntensity;
		#else
			return vec3( 0.0 );
		#endif
	}
	#ifdef USE_RETROREFLECTION
		vec3 getIBLRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 retroVec = normalize( mix( viewDir, normal, pow4( roughness ) ) );
				retroVec = transformDirectionByInverseViewMatrix( retroVec, viewMatrix );
				vec4 envMapColor = textureLod( envMap, envMapRotation * retroVec, roughnessToMip( roughness ) );
				return envMapColor.rgb * envMapIntensity;
			#else
				return vec3( 0.0 );
			#endif
		}
	#endif
	#ifdef USE_ANISOTROPY
		vec3 getIBLAnisotropyRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
			#ifdef ENVMAP_TYPE_PMREM
				vec3 bentNormal = cross( bitangent, viewDir );
				bentNormal = normalize( cross( bentNormal, bitangent ) );
				bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
				return getIBLRadiance( viewDir, bentNormal, roughness );
			#else
				return vec3( 0.0 );
			#endif
		}
		#ifdef USE_RETROREFLECTION
			vec3 getIBLAnisotropyRetroRadiance( const in vec3 viewDir, const in vec3 normal, const in float roughness, const in vec3 bitangent, const in float anisotropy ) {
				#ifdef ENVMAP_TYPE_PMREM
					vec3 bentNormal = cross( bitangent, viewDir );
					bentNormal = normalize( cross( bentNormal, bitangent ) );
					bentNormal = normalize( mix( bentNormal, normal, pow2( pow2( 1.0 - anisotropy * ( 1.0 - roughness ) ) ) ) );
					return getIBLRetroRadiance( viewDir, bentNormal, roughness );
				#else
					return vec3( 0.0 );
				#endif
			}
		#endif
	#endif
#endif`,i3=`ToonMaterial material;
material.diffuseColor = diffuseColor.rgb;`,s3=`varying vec3 vViewPosition;
struct ToonMaterial {
	vec3 diffuseColor;
};
void RE_Direct_Toon( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 irradiance = getGradientIrradiance( geometryNormal, directLight.direction ) * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
void RE_IndirectDiffuse_Toon( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in ToonMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_Toon
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Toon`,r3=`BlinnPhongMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.specularColor = specular;
material.specularShininess = shininess;
material.specularStrength = specularStrength;`,o3=`varying vec3 vViewPosition;
struct BlinnPhongMaterial {
	vec3 diffuseColor;
	vec3 specularColor;
	float specularShininess;
	float specularStrength;
};
void RE_Direct_BlinnPhong( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	reflectedLight.directDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
	reflectedLight.directSpecular += irradiance * BRDF_BlinnPhong( directLight.direction, geometryViewDir, geometryNormal, material.specularColor, material.specularShininess ) * material.specularStrength;
}
void RE_IndirectDiffuse_BlinnPhong( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in BlinnPhongMaterial material, inout ReflectedLight reflectedLight ) {
	reflectedLight.indirectDiffuse += irradiance * BRDF_Lambert( material.diffuseColor );
}
#define RE_Direct				RE_Direct_BlinnPhong
#define RE_IndirectDiffuse		RE_IndirectDiffuse_BlinnPhong`,a3=`PhysicalMaterial material;
material.diffuseColor = diffuseColor.rgb;
material.diffuseContribution = diffuseColor.rgb * ( 1.0 - metalnessFactor );
material.metalness = metalnessFactor;
vec3 dxy = max( abs( dFdx( nonPerturbedNormal ) ), abs( dFdy( nonPerturbedNormal ) ) );
float geometryRoughness = max( max( dxy.x, dxy.y ), dxy.z );
material.roughness = max( roughnessFactor, 0.045 );
material.roughness += geometryRoughness;
material.roughness = min( material.roughness, 1.0 );
#ifdef USE_DIFFUSE_ROUGHNESS
	float diffuseRoughnessFactor = diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		diffuseRoughnessFactor *= texture2D( diffuseRoughnessMap, vDiffuseRoughnessMapUv ).r;
	#endif
	material.diffuseRoughness = saturate( diffuseRoughnessFactor );
#endif
#ifdef IOR
	material.ior = ior;
	#ifdef USE_SPECULAR
		float specularIntensityFactor = specularIntensity;
		vec3 specularColorFactor = specularColor;
		#ifdef USE_SPECULAR_COLORMAP
			specularColorFactor *= texture2D( specularColorMap, vSpecularColorMapUv ).rgb;
		#endif
		#ifdef USE_SPECULAR_INTENSITYMAP
			specularIntensityFactor *= texture2D( specularIntensityMap, vSpecularIntensityMapUv ).a;
		#endif
		material.specularF90 = mix( specularIntensityFactor, 1.0, metalnessFactor );
	#else
		float specularIntensityFactor = 1.0;
		vec3 specularColorFactor = vec3( 1.0 );
		material.specularF90 = 1.0;
	#endif
	material.specularColor = min( pow2( ( material.ior - 1.0 ) / ( material.ior + 1.0 ) ) * specularColorFactor, vec3( 1.0 ) ) * specularIntensityFactor;
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
#else
	material.specularColor = vec3( 0.04 );
	material.specularColorBlended = mix( material.specularColor, diffuseColor.rgb, metalnessFactor );
	material.specularF90 = 1.0;
#endif
#ifdef USE_CLEARCOAT
	material.clearcoat = clearcoat;
	material.clearcoatRoughness = clearcoatRoughness;
	material.clearcoatF0 = vec3( 0.04 );
	material.clearcoatF90 = 1.0;
	#ifdef USE_CLEARCOATMAP
		material.clearcoat *= texture2D( clearcoatMap, vClearcoatMapUv ).x;
	#endif
	#ifdef USE_CLEARCOAT_ROUGHNESSMAP
		material.clearcoatRoughness *= texture2D( clearcoatRoughnessMap, vClearcoatRoughnessMapUv ).y;
	#endif
	material.clearcoat = saturate( material.clearcoat );	material.clearcoatRoughness = max( material.clearcoatRoughness, 0.045 );
	material.clearcoatRoughness += geometryRoughness;
	material.clearcoatRoughness = min( material.clearcoatRoughness, 1.0 );
#endif
#ifdef USE_DISPERSION
	material.dispersion = dispersion;
#endif
#ifdef USE_RETROREFLECTION
	material.retroreflectivity = retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	material.iridescence = iridescence;
	material.iridescenceIOR = iridescenceIOR;
	#ifdef USE_IRIDESCENCEMAP
		material.iridescence *= texture2D( iridescenceMap, vIridescenceMapUv ).r;
	#endif
	#ifdef USE_IRIDESCENCE_THICKNESSMAP
		material.iridescenceThickness = (iridescenceThicknessMaximum - iridescenceThicknessMinimum) * texture2D( iridescenceThicknessMap, vIridescenceThicknessMapUv ).g + iridescenceThicknessMinimum;
	#else
		material.iridescenceThickness = iridescenceThicknessMaximum;
	#endif
#endif
#ifdef USE_SHEEN
	material.sheenColor = sheenColor;
	#ifdef USE_SHEEN_COLORMAP
		material.sheenColor *= texture2D( sheenColorMap, vSheenColorMapUv ).rgb;
	#endif
	material.sheenRoughness = clamp( sheenRoughness, 0.0001, 1.0 );
	#ifdef USE_SHEEN_ROUGHNESSMAP
		material.sheenRoughness *= texture2D( sheenRoughnessMap, vSheenRoughnessMapUv ).a;
	#endif
#endif
#ifdef USE_ANISOTROPY
	#ifdef USE_ANISOTROPYMAP
		mat2 anisotropyMat = mat2( anisotropyVector.x, anisotropyVector.y, - anisotropyVector.y, anisotropyVector.x );
		vec3 anisotropyPolar = texture2D( anisotropyMap, vAnisotropyMapUv ).rgb;
		vec2 anisotropyV = anisotropyMat * normalize( 2.0 * anisotropyPolar.rg - vec2( 1.0 ) ) * anisotropyPolar.b;
	#else
		vec2 anisotropyV = anisotropyVector;
	#endif
	material.anisotropy = length( anisotropyV );
	if( material.anisotropy == 0.0 ) {
		anisotropyV = vec2( 1.0, 0.0 );
	} else {
		anisotropyV /= material.anisotropy;
		material.anisotropy = saturate( material.anisotropy );
	}
	material.alphaT = mix( pow2( material.roughness ), 1.0, pow2( material.anisotropy ) );
	material.anisotropyT = tbn[ 0 ] * anisotropyV.x + tbn[ 1 ] * anisotropyV.y;
	material.anisotropyB = tbn[ 1 ] * anisotropyV.x - tbn[ 0 ] * anisotropyV.y;
#endif`,l3=`uniform sampler2D dfgLUT;
struct PhysicalMaterial {
	vec3 diffuseColor;
	vec3 diffuseContribution;
	vec3 specularColor;
	vec3 specularColorBlended;
	float roughness;
	float metalness;
	float specularF90;
	float dispersion;
	vec2 dfg;
	vec3 multiScatteringCompensation;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float diffuseRoughness;
	#endif
	#ifdef USE_RETROREFLECTION
		float retroreflectivity;
	#endif
	#ifdef USE_CLEARCOAT
		float clearcoat;
		float clearcoatRoughness;
		vec3 clearcoatF0;
		float clearcoatF90;
	#endif
	#ifdef USE_IRIDESCENCE
		float iridescence;
		float iridescenceIOR;
		float iridescenceThickness;
		vec3 iridescenceFresnel;
		vec3 iridescenceF0Dielectric;
		vec3 iridescenceF0Metallic;
	#endif
	#ifdef USE_SHEEN
		vec3 sheenColor;
		float sheenRoughness;
	#endif
	#ifdef IOR
		float ior;
	#endif
	#ifdef USE_TRANSMISSION
		float transmission;
		float transmissionAlpha;
		float thickness;
		float attenuationDistance;
		vec3 attenuationColor;
	#endif
	#ifdef USE_ANISOTROPY
		float anisotropy;
		float alphaT;
		vec3 anisotropyT;
		vec3 anisotropyB;
	#endif
};
vec3 clearcoatSpecularDirect = vec3( 0.0 );
vec3 clearcoatSpecularIndirect = vec3( 0.0 );
vec3 sheenSpecularDirect = vec3( 0.0 );
vec3 sheenSpecularIndirect = vec3(0.0 );
vec3 Schlick_to_F0( const in vec3 f, const in float f90, const in float dotVH ) {
    float x = clamp( 1.0 - dotVH, 0.0, 1.0 );
    float x2 = x * x;
    float x5 = clamp( x * x2 * x2, 0.0, 0.9999 );
    return ( f - vec3( f90 ) * x5 ) / ( 1.0 - x5 );
}
#ifdef USE_DIFFUSE_ROUGHNESS
	const float EON_EPSILON = 1e-7;
	float FON_DirectionalAlbedo( const in float mu, const in float roughness, const in float A ) {
		float muComp = 1.0 - mu;
		float gOverPi = muComp * ( 0.0571085289 + muComp * ( 0.491881867 + muComp * ( - 0.332181442 + muComp * 0.0714429953 ) ) );
		return A * ( 1.0 + roughness * gOverPi );
	}
	vec3 BRDF_EON( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in vec3 diffuseColor, const in float roughness ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return BRDF_Lambert( rho );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float s = dot( lightDir, viewDir ) - dotNL * dotNV;
		float sOverT = ( s > 0.0 ) ? s / max( max( dotNL, dotNV ), EON_EPSILON ) : s;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		vec3 singleScatter = rho * RECIPROCAL_PI * A * ( 1.0 + roughness * sOverT );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		float albedoV = FON_DirectionalAlbedo( dotNV, roughness, A );
		float albedoL = FON_DirectionalAlbedo( dotNL, roughness, A );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		vec3 multiScatter = rhoMultiScatter * RECIPROCAL_PI
			* max( EON_EPSILON, 1.0 - albedoV )
			* max( EON_EPSILON, 1.0 - albedoL )
			/ max( EON_EPSILON, 1.0 - averageAlbedo );
		return singleScatter + multiScatter;
	}
	vec3 EON_DirectionalAlbedo( const in vec3 diffuseColor, const in float roughness, const in float dotNV ) {
		vec3 rho = saturate( diffuseColor );
		if ( roughness <= EON_EPSILON ) return rho;
		float A = 1.0 / ( 1.0 + ( 0.5 - 2.0 / ( 3.0 * PI ) ) * roughness );
		float directionalAlbedo = FON_DirectionalAlbedo( dotNV, roughness, A );
		float averageAlbedo = A * ( 1.0 + ( 2.0 / 3.0 - 28.0 / ( 15.0 * PI ) ) * roughness );
		vec3 rhoMultiScatter = rho * rho * averageAlbedo / max( vec3( EON_EPSILON ), vec3( 1.0 ) - rho * ( 1.0 - averageAlbedo ) );
		return rho * directionalAlbedo + rhoMultiScatter * ( 1.0 - directionalAlbedo );
	}
#endif
float V_GGX_SmithCorrelated( const in float alpha, const in float dotNL, const in float dotNV ) {
	float a2 = pow2( alpha );
	float gv = dotNL * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNV ) );
	float gl = dotNV * sqrt( a2 + ( 1.0 - a2 ) * pow2( dotNL ) );
	return 0.5 / max( gv + gl, EPSILON );
}
float D_GGX( const in float alpha, const in float dotNH ) {
	float a2 = pow2( alpha );
	float denom = pow2( dotNH ) * ( a2 - 1.0 ) + 1.0;
	return RECIPROCAL_PI * a2 / pow2( denom );
}
#ifdef USE_ANISOTROPY
	float V_GGX_SmithCorrelated_Anisotropic( const in float alphaT, const in float alphaB, const in float dotTV, const in float dotBV, const in float dotTL, const in float dotBL, const in float dotNV, const in float dotNL ) {
		float gv = dotNL * length( vec3( alphaT * dotTV, alphaB * dotBV, dotNV ) );
		float gl = dotNV * length( vec3( alphaT * dotTL, alphaB * dotBL, dotNL ) );
		return 0.5 / max( gv + gl, EPSILON );
	}
	float D_GGX_Anisotropic( const in float alphaT, const in float alphaB, const in float dotNH, const in float dotTH, const in float dotBH ) {
		float a2 = alphaT * alphaB;
		highp vec3 v = vec3( alphaB * dotTH, alphaT * dotBH, a2 * dotNH );
		highp float v2 = dot( v, v );
		float w2 = a2 / v2;
		return RECIPROCAL_PI * a2 * pow2 ( w2 );
	}
#endif
#ifdef USE_CLEARCOAT
	vec3 BRDF_GGX_Clearcoat( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material) {
		vec3 f0 = material.clearcoatF0;
		float f90 = material.clearcoatF90;
		float roughness = max( material.clearcoatRoughness, 0.045 );
		float alpha = pow2( roughness );
		vec3 halfDir = normalize( lightDir + viewDir );
		float dotNL = saturate( dot( normal, lightDir ) );
		float dotNV = saturate( dot( normal, viewDir ) );
		float dotNH = saturate( dot( normal, halfDir ) );
		float dotVH = saturate( dot( viewDir, halfDir ) );
		vec3 F = F_Schlick( f0, f90, dotVH );
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
		return F * ( V * D );
	}
#endif
vec3 BRDF_GGX( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, const in PhysicalMaterial material ) {
	vec3 f0 = material.specularColorBlended;
	float f90 = material.specularF90;
	float roughness = max( material.roughness, 0.045 );
	float alpha = pow2( roughness );
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float dotVH = saturate( dot( viewDir, halfDir ) );
	vec3 F = F_Schlick( f0, f90, dotVH );
	#ifdef USE_IRIDESCENCE
		F = mix( F, material.iridescenceFresnel, material.iridescence );
	#endif
	#ifdef USE_ANISOTROPY
		float dotTL = dot( material.anisotropyT, lightDir );
		float dotTV = dot( material.anisotropyT, viewDir );
		float dotTH = dot( material.anisotropyT, halfDir );
		float dotBL = dot( material.anisotropyB, lightDir );
		float dotBV = dot( material.anisotropyB, viewDir );
		float dotBH = dot( material.anisotropyB, halfDir );
		float alphaT = max( material.alphaT, alpha );
		float V = V_GGX_SmithCorrelated_Anisotropic( alphaT, alpha, dotTV, dotBV, dotTL, dotBL, dotNV, dotNL );
		float D = D_GGX_Anisotropic( alphaT, alpha, dotNH, dotTH, dotBH );
	#else
		float V = V_GGX_SmithCorrelated( alpha, dotNL, dotNV );
		float D = D_GGX( alpha, dotNH );
	#endif
	return F * ( V * D );
}
vec2 LTC_Uv( const in vec3 N, const in vec3 V, const in float roughness ) {
	const float LUT_SIZE = 64.0;
	const float LUT_SCALE = ( LUT_SIZE - 1.0 ) / LUT_SIZE;
	const float LUT_BIAS = 0.5 / LUT_SIZE;
	float dotNV = saturate( dot( N, V ) );
	vec2 uv = vec2( roughness, sqrt( 1.0 - dotNV ) );
	uv = uv * LUT_SCALE + LUT_BIAS;
	return uv;
}
float LTC_ClippedSphereFormFactor( const in vec3 f ) {
	float l = length( f );
	return max( ( l * l + f.z ) / ( l + 1.0 ), 0.0 );
}
vec3 LTC_EdgeVectorFormFactor( const in vec3 v1, const in vec3 v2 ) {
	float x = dot( v1, v2 );
	float y = abs( x );
	float a = 0.8543985 + ( 0.4965155 + 0.0145206 * y ) * y;
	float b = 3.4175940 + ( 4.1616724 + y ) * y;
	float v = a / b;
	float theta_sintheta = ( x > 0.0 ) ? v : 0.5 * inversesqrt( max( 1.0 - x * x, 1e-7 ) ) - v;
	return cross( v1, v2 ) * theta_sintheta;
}
vec3 LTC_Evaluate( const in vec3 N, const in vec3 V, const in vec3 P, const in mat3 mInv, const in vec3 rectCoords[ 4 ] ) {
	vec3 v1 = rectCoords[ 1 ] - rectCoords[ 0 ];
	vec3 v2 = rectCoords[ 3 ] - rectCoords[ 0 ];
	vec3 lightNormal = cross( v1, v2 );
	if( dot( lightNormal, P - rectCoords[ 0 ] ) < 0.0 ) return vec3( 0.0 );
	vec3 T1, T2;
	T1 = normalize( V - N * dot( V, N ) );
	T2 = - cross( N, T1 );
	mat3 mat = mInv * transpose( mat3( T1, T2, N ) );
	vec3 coords[ 4 ];
	coords[ 0 ] = mat * ( rectCoords[ 0 ] - P );
	coords[ 1 ] = mat * ( rectCoords[ 1 ] - P );
	coords[ 2 ] = mat * ( rectCoords[ 2 ] - P );
	coords[ 3 ] = mat * ( rectCoords[ 3 ] - P );
	coords[ 0 ] = normalize( coords[ 0 ] );
	coords[ 1 ] = normalize( coords[ 1 ] );
	coords[ 2 ] = normalize( coords[ 2 ] );
	coords[ 3 ] = normalize( coords[ 3 ] );
	vec3 vectorFormFactor = vec3( 0.0 );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 0 ], coords[ 1 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 1 ], coords[ 2 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 2 ], coords[ 3 ] );
	vectorFormFactor += LTC_EdgeVectorFormFactor( coords[ 3 ], coords[ 0 ] );
	float result = LTC_ClippedSphereFormFactor( vectorFormFactor );
	return vec3( result );
}
#if defined( USE_SHEEN )
float D_Charlie( float roughness, float dotNH ) {
	float alpha = pow2( roughness );
	float invAlpha = 1.0 / alpha;
	float cos2h = dotNH * dotNH;
	float sin2h = max( 1.0 - cos2h, 0.0078125 );
	return ( 2.0 + invAlpha ) * pow( sin2h, invAlpha * 0.5 ) / ( 2.0 * PI );
}
float V_Neubelt( float dotNV, float dotNL ) {
	return saturate( 1.0 / ( 4.0 * ( dotNL + dotNV - dotNL * dotNV ) ) );
}
vec3 BRDF_Sheen( const in vec3 lightDir, const in vec3 viewDir, const in vec3 normal, vec3 sheenColor, const in float sheenRoughness ) {
	vec3 halfDir = normalize( lightDir + viewDir );
	float dotNL = saturate( dot( normal, lightDir ) );
	float dotNV = saturate( dot( normal, viewDir ) );
	float dotNH = saturate( dot( normal, halfDir ) );
	float D = D_Charlie( sheenRoughness, dotNH );
	float V = V_Neubelt( dotNV, dotNL );
	return sheenColor * ( D * V );
}
#endif
float IBLSheenBRDF( const in vec3 normal, const in vec3 viewDir, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	float r2 = roughness * roughness;
	float rInv = 1.0 / ( roughness + 0.1 );
	float a = -1.9362 + 1.0678 * roughness + 0.4573 * r2 - 0.8469 * rInv;
	float b = -0.6014 + 0.5538 * roughness - 0.4670 * r2 - 0.1255 * rInv;
	float DG = exp( a * dotNV + b );
	return saturate( DG );
}
vec3 EnvironmentBRDF( const in vec3 normal, const in vec3 viewDir, const in vec3 specularColor, const in float specularF90, const in float roughness ) {
	float dotNV = saturate( dot( normal, viewDir ) );
	vec2 fab = texture2D( dfgLUT, vec2( roughness, dotNV ) ).rg;
	return specularColor * fab.x + specularF90 * fab.y;
}
#ifdef USE_IRIDESCENCE
void computeMultiscatteringIridescence( const in vec2 fab, const in vec3 specularColor, const in float specularF90, const in float iridescence, const in vec3 iridescenceF0, inout vec3 singleScatter, inout vec3 multiScatter ) {
#else
void computeMultiscattering( const in vec2 fab, const in vec3 specularColor, const in float specularF90, inout vec3 singleScatter, inout vec3 multiScatter ) {
#endif
	#ifdef USE_IRIDESCENCE
		vec3 Fr = mix( specularColor, iridescenceF0, iridescence );
	#else
		vec3 Fr = specularColor;
	#endif
	vec3 FssEss = Fr * fab.x + specularF90 * fab.y;
	float Ess = fab.x + fab.y;
	float Ems = 1.0 - Ess;
	vec3 Favg = Fr + ( 1.0 - Fr ) * 0.047619;	vec3 Fms = FssEss * Favg / ( 1.0 - Ems * Favg );
	singleScatter += FssEss;
	multiScatter += Fms * Ems;
}
#if NUM_RECT_AREA_LIGHTS > 0
	void RE_Direct_RectArea_Physical( const in RectAreaLight rectAreaLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
		vec3 normal = geometryNormal;
		vec3 viewDir = geometryViewDir;
		vec3 position = geometryPosition;
		vec3 lightPos = rectAreaLight.position;
		vec3 halfWidth = rectAreaLight.halfWidth;
		vec3 halfHeight = rectAreaLight.halfHeight;
		vec3 lightColor = rectAreaLight.color;
		float roughness = material.roughness;
		vec3 rectCoords[ 4 ];
		rectCoords[ 0 ] = lightPos + halfWidth - halfHeight;		rectCoords[ 1 ] = lightPos - halfWidth - halfHeight;
		rectCoords[ 2 ] = lightPos - halfWidth + halfHeight;
		rectCoords[ 3 ] = lightPos + halfWidth + halfHeight;
		vec2 uv = LTC_Uv( normal, viewDir, roughness );
		vec4 t1 = texture2D( ltc_1, uv );
		vec4 t2 = texture2D( ltc_2, uv );
		mat3 mInv = mat3(
			vec3( t1.x, 0, t1.y ),
			vec3(    0, 1,    0 ),
			vec3( t1.z, 0, t1.w )
		);
		vec3 fresnel = ( material.specularColorBlended * t2.x + ( material.specularF90 - material.specularColorBlended ) * t2.y );
		reflectedLight.directSpecular += lightColor * fresnel * LTC_Evaluate( normal, viewDir, position, mInv, rectCoords );
		reflectedLight.directDiffuse += lightColor * material.diffuseContribution * LTC_Evaluate( normal, viewDir, position, mat3( 1.0 ), rectCoords );
		#ifdef USE_CLEARCOAT
			vec3 Ncc = geometryClearcoatNormal;
			vec2 uvClearcoat = LTC_Uv( Ncc, viewDir, material.clearcoatRoughness );
			vec4 t1Clearcoat = texture2D( ltc_1, uvClearcoat );
			vec4 t2Clearcoat = texture2D( ltc_2, uvClearcoat );
			mat3 mInvClearcoat = mat3(
				vec3( t1Clearcoat.x, 0, t1Clearcoat.y ),
				vec3(             0, 1,             0 ),
				vec3( t1Clearcoat.z, 0, t1Clearcoat.w )
			);
			vec3 fresnelClearcoat = material.clearcoatF0 * t2Clearcoat.x + ( material.clearcoatF90 - material.clearcoatF0 ) * t2Clearcoat.y;
			clearcoatSpecularDirect += lightColor * fresnelClearcoat * LTC_Evaluate( Ncc, viewDir, position, mInvClearcoat, rectCoords );
		#endif
	}
#endif
void RE_Direct_Physical( const in IncidentLight directLight, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	float dotNL = saturate( dot( geometryNormal, directLight.direction ) );
	vec3 irradiance = dotNL * directLight.color;
	#ifdef USE_CLEARCOAT
		float dotNLcc = saturate( dot( geometryClearcoatNormal, directLight.direction ) );
		vec3 ccIrradiance = dotNLcc * directLight.color;
		clearcoatSpecularDirect += ccIrradiance * BRDF_GGX_Clearcoat( directLight.direction, geometryViewDir, geometryClearcoatNormal, material );
	#endif
	#ifdef USE_SHEEN
 
 		sheenSpecularDirect += irradiance * BRDF_Sheen( directLight.direction, geometryViewDir, geometryNormal, material.sheenColor, material.sheenRoughness );
 
 		float sheenAlbedoV = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
 		float sheenAlbedoL = IBLSheenBRDF( geometryNormal, directLight.direction, material.sheenRoughness );
 
 		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * max( sheenAlbedoV, sheenAlbedoL );
 
 		irradiance *= sheenEnergyComp;
 
 	#endif
	vec3 specularBRDF = BRDF_GGX( directLight.direction, geometryViewDir, geometryNormal, material );
	#ifdef USE_RETROREFLECTION
		vec3 retroViewDir = reflect( - geometryViewDir, geometryNormal );
		vec3 retroSpecularBRDF = BRDF_GGX( directLight.direction, retroViewDir, geometryNormal, material );
		specularBRDF = mix( specularBRDF, retroSpecularBRDF, saturate( material.retroreflectivity ) );
	#endif
	reflectedLight.directSpecular += irradiance * specularBRDF * material.multiScatteringCompensation;
	vec3 halfDir = normalize( directLight.direction + geometryViewDir );
	float dotVH = saturate( dot( geometryViewDir, halfDir ) );
	vec3 F = F_Schlick( material.specularColor, material.specularF90, dotVH );
	#ifdef USE_RETROREFLECTION
		vec3 retroHalfDir = normalize( directLight.direction + retroViewDir );
		float dotRetroVH = saturate( dot( retroViewDir, retroHalfDir ) );
		vec3 retroF = F_Schlick( material.specularColor, material.specularF90, dotRetroVH );
		F = mix( F, retroF, saturate( material.retroreflectivity ) );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		vec3 diffuseBRDF = BRDF_EON( directLight.direction, geometryViewDir, geometryNormal, material.diffuseColor, material.diffuseRoughness ) * ( 1.0 - material.metalness );
	#else
		vec3 diffuseBRDF = BRDF_Lambert( material.diffuseContribution );
	#endif
	reflectedLight.directDiffuse += irradiance * diffuseBRDF * ( 1.0 - F );
}
void RE_IndirectDiffuse_Physical( const in vec3 irradiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight ) {
	vec3 singleScattering = vec3( 0.0 );
	vec3 multiScattering = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScattering, multiScattering );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScattering, multiScattering );
	#endif
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuseAlbedo = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness );
		vec3 diffuse = irradiance * RECIPROCAL_PI * diffuseAlbedo * ( 1.0 - singleScattering - multiScattering );
	#else
		vec3 diffuse = irradiance * BRDF_Lambert( material.diffuseContribution ) * ( 1.0 - singleScattering - multiScattering );
	#endif
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		sheenSpecularIndirect += irradiance * material.sheenColor * sheenAlbedo * RECIPROCAL_PI;
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		diffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectDiffuse += diffuse;
}
void RE_IndirectSpecular_Physical( const in vec3 radiance, const in vec3 irradiance, const in vec3 clearcoatRadiance, const in vec3 geometryPosition, const in vec3 geometryNormal, const in vec3 geometryViewDir, const in vec3 geometryClearcoatNormal, const in PhysicalMaterial material, inout ReflectedLight reflectedLight) {
	#ifdef USE_CLEARCOAT
		clearcoatSpecularIndirect += clearcoatRadiance * EnvironmentBRDF( geometryClearcoatNormal, geometryViewDir, material.clearcoatF0, material.clearcoatF90, material.clearcoatRoughness );
	#endif
	#ifdef USE_SHEEN
		sheenSpecularIndirect += irradiance * material.sheenColor * IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness ) * RECIPROCAL_PI;
 	#endif
	vec3 singleScatteringDielectric = vec3( 0.0 );
	vec3 multiScatteringDielectric = vec3( 0.0 );
	vec3 singleScatteringMetallic = vec3( 0.0 );
	vec3 multiScatteringMetallic = vec3( 0.0 );
	#ifdef USE_IRIDESCENCE
		computeMultiscatteringIridescence( material.dfg, material.specularColor, material.specularF90, material.iridescence, material.iridescenceF0Dielectric, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscatteringIridescence( material.dfg, material.diffuseColor, material.specularF90, material.iridescence, material.iridescenceF0Metallic, singleScatteringMetallic, multiScatteringMetallic );
	#else
		computeMultiscattering( material.dfg, material.specularColor, material.specularF90, singleScatteringDielectric, multiScatteringDielectric );
		computeMultiscattering( material.dfg, material.diffuseColor, material.specularF90, singleScatteringMetallic, multiScatteringMetallic );
	#endif
	vec3 singleScattering = mix( singleScatteringDielectric, singleScatteringMetallic, material.metalness );
	vec3 multiScattering = mix( multiScatteringDielectric, multiScatteringMetallic, material.metalness );
	vec3 totalScatteringDielectric = singleScatteringDielectric + multiScatteringDielectric;
	#ifdef USE_DIFFUSE_ROUGHNESS
		float dotNV = saturate( dot( geometryNormal, geometryViewDir ) );
		vec3 diffuse = EON_DirectionalAlbedo( material.diffuseColor, material.diffuseRoughness, dotNV ) * ( 1.0 - material.metalness ) * ( 1.0 - totalScatteringDielectric );
	#else
		vec3 diffuse = material.diffuseContribution * ( 1.0 - totalScatteringDielectric );
	#endif
	vec3 cosineWeightedIrradiance = irradiance * RECIPROCAL_PI;
	vec3 indirectSpecular = radiance * singleScattering;
	indirectSpecular += multiScattering * cosineWeightedIrradiance;
	vec3 indirectDiffuse = diffuse * cosineWeightedIrradiance;
	#ifdef USE_SHEEN
		float sheenAlbedo = IBLSheenBRDF( geometryNormal, geometryViewDir, material.sheenRoughness );
		float sheenEnergyComp = 1.0 - max3( material.sheenColor ) * sheenAlbedo;
		indirectSpecular *= sheenEnergyComp;
		indirectDiffuse *= sheenEnergyComp;
	#endif
	reflectedLight.indirectSpecular += indirectSpecular;
	reflectedLight.indirectDiffuse += indirectDiffuse;
}
#define RE_Direct				RE_Direct_Physical
#define RE_Direct_RectArea		RE_Direct_RectArea_Physical
#define RE_IndirectDiffuse		RE_IndirectDiffuse_Physical
#define RE_IndirectSpecular		RE_IndirectSpecular_Physical
float computeSpecularOcclusion( const in float dotNV, const in float ambientOcclusion, const in float roughness ) {
	return saturate( pow( dotNV + ambientOcclusion, exp2( - 16.0 * roughness - 1.0 ) ) - 1.0 + ambientOcclusion );
}`,c3=`
vec3 geometryPosition = - vViewPosition;
vec3 geometryNormal = normal;
vec3 geometryViewDir = ( isOrthographic ) ? vec3( 0, 0, 1 ) : normalize( vViewPosition );
vec3 geometryClearcoatNormal = vec3( 0.0 );
#ifdef USE_CLEARCOAT
	geometryClearcoatNormal = clearcoatNormal;
#endif
#ifdef USE_IRIDESCENCE
	float dotNVi = saturate( dot( normal, geometryViewDir ) );
	if ( material.iridescenceThickness == 0.0 ) {
		material.iridescence = 0.0;
	} else {
		material.iridescence = saturate( material.iridescence );
	}
	if ( material.iridescence > 0.0 ) {
		vec3 iridescenceFresnelDielectric = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.specularColor );
		vec3 iridescenceFresnelMetallic = evalIridescence( 1.0, material.iridescenceIOR, dotNVi, material.iridescenceThickness, material.diffuseColor );
		material.iridescenceFresnel = mix( iridescenceFresnelDielectric, iridescenceFresnelMetallic, material.metalness );
		material.iridescenceF0Dielectric = Schlick_to_F0( iridescenceFresnelDielectric, 1.0, dotNVi );
		material.iridescenceF0Metallic = Schlick_to_F0( iridescenceFresnelMetallic, 1.0, dotNVi );
	}
#endif
#ifdef STANDARD
	float dotNVms = saturate( dot( geometryNormal, geometryViewDir ) );
	material.dfg = texture2D( dfgLUT, vec2( material.roughness, dotNVms ) ).rg;
	#if ( NUM_SUN_LIGHTS > 0 || NUM_DIR_LIGHTS > 0 || NUM_POINT_LIGHTS > 0 || NUM_SPOT_LIGHTS > 0 )
		float EssMs = material.dfg.x + material.dfg.y;
		material.multiScatteringCompensation = 1.0 + material.specularColorBlended * ( 1.0 / EssMs - 1.0 );
	#endif
#endif
IncidentLight directLight;
#if ( NUM_POINT_LIGHTS > 0 ) && defined( RE_Direct )
	PointLight pointLight;
	#if defined( USE_SHADOWMAP ) && NUM_POINT_LIGHT_SHADOWS > 0
	PointLightShadow pointLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHTS; i ++ ) {
		pointLight = pointLights[ i ];
		getPointLightInfo( pointLight, geometryPosition, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_POINT_LIGHT_SHADOWS ) && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
		pointLightShadow = pointLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getPointShadow( pointShadowMap[ i ], pointLightShadow.shadowMapSize, pointLightShadow.shadowIntensity, pointLightShadow.shadowBias, pointLightShadow.shadowRadius, vPointShadowCoord[ i ], pointLightShadow.shadowCameraNear, pointLightShadow.shadowCameraFar ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SPOT_LIGHTS > 0 ) && defined( RE_Direct )
	SpotLight spotLight;
	vec4 spotColor;
	vec3 spotLightCoord;
	bool inSpotLightMap;
	#if defined( USE_SHADOWMAP ) && NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHTS; i ++ ) {
		spotLight = spotLights[ i ];
		getSpotLightInfo( spotLight, geometryPosition, directLight );
		#if ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#define SPOT_LIGHT_MAP_INDEX UNROLLED_LOOP_INDEX
		#elif ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		#define SPOT_LIGHT_MAP_INDEX NUM_SPOT_LIGHT_MAPS
		#else
		#define SPOT_LIGHT_MAP_INDEX ( UNROLLED_LOOP_INDEX - NUM_SPOT_LIGHT_SHADOWS + NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS )
		#endif
		#if ( SPOT_LIGHT_MAP_INDEX < NUM_SPOT_LIGHT_MAPS )
			spotLightCoord = vSpotLightCoord[ i ].xyz / vSpotLightCoord[ i ].w;
			inSpotLightMap = all( lessThan( abs( spotLightCoord * 2. - 1. ), vec3( 1.0 ) ) );
			spotColor = texture2D( spotLightMap[ SPOT_LIGHT_MAP_INDEX ], spotLightCoord.xy );
			directLight.color = inSpotLightMap ? directLight.color * spotColor.rgb : directLight.color;
		#endif
		#undef SPOT_LIGHT_MAP_INDEX
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
		spotLightShadow = spotLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( spotShadowMap[ i ], spotLightShadow.shadowMapSize, spotLightShadow.shadowIntensity, spotLightShadow.shadowBias, spotLightShadow.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_SUN_LIGHTS > 0 ) && defined( RE_Direct )
	SunLight sunLight;
	#if defined( USE_SHADOWMAP ) && NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHTS; i ++ ) {
		sunLight = sunLights[ i ];
		getSunLightInfo( sunLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_SUN_LIGHT_SHADOWS )
		sunLightShadow = sunLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getSunShadow( sunShadowMap[ i ], sunLightShadow, UNROLLED_LOOP_INDEX ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_DIR_LIGHTS > 0 ) && defined( RE_Direct )
	DirectionalLight directionalLight;
	#if defined( USE_SHADOWMAP ) && NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLightShadow;
	#endif
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHTS; i ++ ) {
		directionalLight = directionalLights[ i ];
		getDirectionalLightInfo( directionalLight, directLight );
		#if defined( USE_SHADOWMAP ) && ( UNROLLED_LOOP_INDEX < NUM_DIR_LIGHT_SHADOWS )
		directionalLightShadow = directionalLightShadows[ i ];
		directLight.color *= ( directLight.visible && receiveShadow ) ? getShadow( directionalShadowMap[ i ], directionalLightShadow.shadowMapSize, directionalLightShadow.shadowIntensity, directionalLightShadow.shadowBias, directionalLightShadow.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
		#endif
		RE_Direct( directLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if ( NUM_RECT_AREA_LIGHTS > 0 ) && defined( RE_Direct_RectArea )
	RectAreaLight rectAreaLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_RECT_AREA_LIGHTS; i ++ ) {
		rectAreaLight = rectAreaLights[ i ];
		RE_Direct_RectArea( rectAreaLight, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
	}
	#pragma unroll_loop_end
#endif
#if defined( RE_IndirectDiffuse )
	vec3 iblIrradiance = vec3( 0.0 );
	vec3 irradiance = getAmbientLightIrradiance( ambientLightColor );
	#if defined( USE_LIGHT_PROBES )
		irradiance += getLightProbeIrradiance( lightProbe, geometryNormal );
	#endif
	#if ( NUM_HEMI_LIGHTS > 0 )
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_HEMI_LIGHTS; i ++ ) {
			irradiance += getHemisphereLightIrradiance( hemisphereLights[ i ], geometryNormal );
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_LIGHT_PROBE_GRIDS > 0
		vec3 probeWorldPos = ( ( vec4( geometryPosition, 1.0 ) - viewMatrix[ 3 ] ) * viewMatrix ).xyz;
		vec3 probeWorldNormal = transformNormalByInverseViewMatrix( geometryNormal, viewMatrix );
		int probeGrid = - 1;
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( isInsideLightProbeGrid( probeWorldPos, probeWorldNormal, probesMin[ i ], probesMax[ i ], probesResolution[ i ] ) ) probeGrid = UNROLLED_LOOP_INDEX;
		}
		#pragma unroll_loop_end
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_LIGHT_PROBE_GRIDS; i ++ ) {
			if ( probeGrid == UNROLLED_LOOP_INDEX ) irradiance += getLightProbeGridIrradiance( probesSH[ i ], probesMin[ i ], probesMax[ i ], probesResolution[ i ], probeWorldPos, probeWorldNormal );
		}
		#pragma unroll_loop_end
	#endif
#endif
#if defined( RE_IndirectSpecular )
	vec3 radiance = vec3( 0.0 );
	vec3 clearcoatRadiance = vec3( 0.0 );
#endif`,h3=`#if defined( RE_IndirectDiffuse )
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		vec3 lightMapIrradiance = lightMapTexel.rgb * lightMapIntensity;
		irradiance += lightMapIrradiance;
	#endif
	#if defined( USE_ENVMAP ) && defined( ENVMAP_TYPE_PMREM )
		#if defined( STANDARD ) || defined( LAMBERT ) || defined( PHONG )
			iblIrradiance += getIBLIrradiance( geometryNormal );
		#endif
	#endif
#endif
#if defined( USE_ENVMAP ) && defined( RE_IndirectSpecular )
	#ifdef USE_ANISOTROPY
		vec3 iblRadiance = getIBLAnisotropyRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
	#else
		vec3 iblRadiance = getIBLRadiance( geometryViewDir, geometryNormal, material.roughness );
	#endif
	#ifdef USE_RETROREFLECTION
		#ifdef USE_ANISOTROPY
			vec3 retroIBLRadiance = getIBLAnisotropyRetroRadiance( geometryViewDir, geometryNormal, material.roughness, material.anisotropyB, material.anisotropy );
		#else
			vec3 retroIBLRadiance = getIBLRetroRadiance( geometryViewDir, geometryNormal, material.roughness );
		#endif
		iblRadiance = mix( iblRadiance, retroIBLRadiance, saturate( material.retroreflectivity ) );
	#endif
	radiance += iblRadiance;
	#ifdef USE_CLEARCOAT
		clearcoatRadiance += getIBLRadiance( geometryViewDir, geometryClearcoatNormal, material.clearcoatRoughness );
	#endif
#endif`,u3=`#if defined( RE_IndirectDiffuse )
	#if defined( LAMBERT ) || defined( PHONG )
		irradiance += iblIrradiance;
	#endif
	RE_IndirectDiffuse( irradiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif
#if defined( RE_IndirectSpecular )
	RE_IndirectSpecular( radiance, iblIrradiance, clearcoatRadiance, geometryPosition, geometryNormal, geometryViewDir, geometryClearcoatNormal, material, reflectedLight );
#endif`,d3=`#if NUM_LIGHT_PROBE_GRIDS > 0
uniform highp sampler3D probesSH[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMin[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesMax[ NUM_LIGHT_PROBE_GRIDS ];
uniform vec3 probesResolution[ NUM_LIGHT_PROBE_GRIDS ];
bool isInsideLightProbeGrid( vec3 worldPos, vec3 worldNormal, vec3 probesMin, vec3 probesMax, vec3 probesResolution ) {
	vec3 spacing = ( probesMax - probesMin ) / probesResolution;
	vec3 samplePos = worldPos + worldNormal * spacing * 0.5;
	vec3 margin = spacing * 0.01;
	return all( greaterThanEqual( samplePos, probesMin - margin ) ) && all( lessThanEqual( samplePos, probesMax + margin ) );
}
vec3 getLightProbeGridIrradiance( highp sampler3D probesSH, vec3 probesMin, vec3 probesMax, vec3 probesResolution, vec3 worldPos, vec3 worldNormal ) {
	vec3 res = probesResolution;
	vec3 gridRange = probesMax - probesMin;
	vec3 probeSpacing = gridRange / res;
	vec3 samplePos = worldPos + worldNormal * probeSpacing * 0.5;
	vec3 uvw = clamp( ( samplePos - probesMin ) / gridRange, 0.5 / res, 1.0 - 0.5 / res );
	float nz          = res.z;
	float paddedSlices = nz + 2.0;
	float atlasDepth  = 7.0 * paddedSlices;
	float uvZBase     = uvw.z * nz + 1.0;
	vec4 s0 = texture( probesSH, vec3( uvw.xy, ( uvZBase                       ) / atlasDepth ) );
	vec4 s1 = texture( probesSH, vec3( uvw.xy, ( uvZBase +       paddedSlices   ) / atlasDepth ) );
	vec4 s2 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 2.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s3 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 3.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s4 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 4.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s5 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 5.0 * paddedSlices   ) / atlasDepth ) );
	vec4 s6 = texture( probesSH, vec3( uvw.xy, ( uvZBase + 6.0 * paddedSlices   ) / atlasDepth ) );
	vec3 c0 = s0.xyz;
	vec3 c1 = vec3( s0.w, s1.xy );
	vec3 c2 = vec3( s1.zw, s2.x );
	vec3 c3 = s2.yzw;
	vec3 c4 = s3.xyz;
	vec3 c5 = vec3( s3.w, s4.xy );
	vec3 c6 = vec3( s4.zw, s5.x );
	vec3 c7 = s5.yzw;
	vec3 c8 = s6.xyz;
	float x = worldNormal.x, y = worldNormal.y, z = worldNormal.z;
	vec3 result = c0 * 0.886227;
	result += c1 * 2.0 * 0.511664 * y;
	result += c2 * 2.0 * 0.511664 * z;
	result += c3 * 2.0 * 0.511664 * x;
	result += c4 * 2.0 * 0.429043 * x * y;
	result += c5 * 2.0 * 0.429043 * y * z;
	result += c6 * ( 0.743125 * z * z - 0.247708 );
	result += c7 * 2.0 * 0.429043 * x * z;
	result += c8 * 0.429043 * ( x * x - y * y );
	return max( result, vec3( 0.0 ) );
}
#endif`,f3=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	gl_FragDepth = vIsPerspective == 0.0 ? gl_FragCoord.z : log2( vFragDepth ) * logDepthBufFC * 0.5;
#endif`,p3=`#if defined( USE_LOGARITHMIC_DEPTH_BUFFER )
	uniform float logDepthBufFC;
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,m3=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	varying float vFragDepth;
	varying float vIsPerspective;
#endif`,g3=`#ifdef USE_LOGARITHMIC_DEPTH_BUFFER
	vFragDepth = 1.0 + gl_Position.w;
	vIsPerspective = float( isPerspectiveMatrix( projectionMatrix ) );
#endif`,_3=`#ifdef USE_MAP
	vec4 sampledDiffuseColor = texture2D( map, vMapUv );
	#ifdef DECODE_VIDEO_TEXTURE
		sampledDiffuseColor = sRGBTransferEOTF( sampledDiffuseColor );
	#endif
	diffuseColor *= sampledDiffuseColor;
#endif`,y3=`#ifdef USE_MAP
	uniform sampler2D map;
#endif`,x3=`#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
	#if defined( USE_POINTS_UV )
		vec2 uv = vUv;
	#else
		vec2 uv = ( uvTransform * vec3( gl_PointCoord.x, 1.0 - gl_PointCoord.y, 1 ) ).xy;
	#endif
#endif
#ifdef USE_MAP
	diffuseColor *= texture2D( map, uv );
#endif
#ifdef USE_ALPHAMAP
	diffuseColor.a *= texture2D( alphaMap, uv ).g;
#endif`,v3=`#if defined( USE_POINTS_UV )
	varying vec2 vUv;
#else
	#if defined( USE_MAP ) || defined( USE_ALPHAMAP )
		uniform mat3 uvTransform;
	#endif
#endif
#ifdef USE_MAP
	uniform sampler2D map;
#endif
#ifdef USE_ALPHAMAP
	uniform sampler2D alphaMap;
#endif`,b3=`float metalnessFactor = metalness;
#ifdef USE_METALNESSMAP
	vec4 texelMetalness = texture2D( metalnessMap, vMetalnessMapUv );
	metalnessFactor *= texelMetalness.b;
#endif`,S3=`#ifdef USE_METALNESSMAP
	uniform sampler2D metalnessMap;
#endif`,M3=`#ifdef USE_INSTANCING_MORPH
	float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	float morphTargetBaseInfluence = texelFetch( morphTexture, ivec2( 0, gl_InstanceID ), 0 ).r;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		morphTargetInfluences[i] =  texelFetch( morphTexture, ivec2( i + 1, gl_InstanceID ), 0 ).r;
	}
#endif`,w3=`#if defined( USE_MORPHCOLORS )
	#if defined( USE_COLOR_ALPHA )
		vColor *= morphTargetBaseInfluence;
	#elif defined( USE_COLOR )
		vColor.rgb *= morphTargetBaseInfluence;
	#endif
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		#if defined( USE_COLOR_ALPHA )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor += getMorph( gl_VertexID, i, 2 ) * morphTargetInfluences[ i ];
		#elif defined( USE_COLOR )
			if ( morphTargetInfluences[ i ] != 0.0 ) vColor.rgb += getMorph( gl_VertexID, i, 2 ).rgb * morphTargetInfluences[ i ];
		#endif
	}
#endif`,E3=`#ifdef USE_MORPHNORMALS
	objectNormal *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) objectNormal += getMorph( gl_VertexID, i, 1 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,T3=`#ifdef USE_MORPHTARGETS
	#ifndef USE_INSTANCING_MORPH
		uniform float morphTargetBaseInfluence;
		uniform float morphTargetInfluences[ MORPHTARGETS_COUNT ];
	#endif
	uniform sampler2DArray morphTargetsTexture;
	uniform ivec2 morphTargetsTextureSize;
	vec4 getMorph( const in int vertexIndex, const in int morphTargetIndex, const in int offset ) {
		int texelIndex = vertexIndex * MORPHTARGETS_TEXTURE_STRIDE + offset;
		int y = texelIndex / morphTargetsTextureSize.x;
		int x = texelIndex - y * morphTargetsTextureSize.x;
		ivec3 morphUV = ivec3( x, y, morphTargetIndex );
		return texelFetch( morphTargetsTexture, morphUV, 0 );
	}
#endif`,A3=`#ifdef USE_MORPHTARGETS
	transformed *= morphTargetBaseInfluence;
	for ( int i = 0; i < MORPHTARGETS_COUNT; i ++ ) {
		if ( morphTargetInfluences[ i ] != 0.0 ) transformed += getMorph( gl_VertexID, i, 0 ).xyz * morphTargetInfluences[ i ];
	}
#endif`,R3=`float faceDirection = gl_FrontFacing ? 1.0 : - 1.0;
#ifdef FLAT_SHADED
	vec3 fdx = dFdx( vViewPosition );
	vec3 fdy = dFdy( vViewPosition );
	vec3 normal = normalize( cross( fdx, fdy ) );
#else
	vec3 normal = normalize( vNormal );
	#ifdef DOUBLE_SIDED
		normal *= faceDirection;
	#endif
#endif
#if defined( USE_NORMALMAP_TANGENTSPACE ) || defined( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY )
	#ifdef USE_TANGENT
		mat3 tbn = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn = getTangentFrame( - vViewPosition, normal,
		#if defined( USE_NORMALMAP )
			vNormalMapUv
		#elif defined( USE_CLEARCOAT_NORMALMAP )
			vClearcoatNormalMapUv
		#else
			vUv
		#endif
		);
	#endif
	#ifdef DOUBLE_SIDED
		tbn[0] *= faceDirection;
		tbn[1] *= faceDirection;
	#endif
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	#ifdef USE_TANGENT
		mat3 tbn2 = mat3( normalize( vTangent ), normalize( vBitangent ), normal );
	#else
		mat3 tbn2 = getTangentFrame( - vViewPosition, normal, vClearcoatNormalMapUv );
	#endif
	#ifdef DOUBLE_SIDED
		tbn2[0] *= faceDirection;
		tbn2[1] *= faceDirection;
	#endif
#endif
vec3 nonPerturbedNormal = normal;`,C3=`#ifdef USE_NORMALMAP_OBJECTSPACE
	normal = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#ifdef FLIP_SIDED
		normal = - normal;
	#endif
	#ifdef DOUBLE_SIDED
		normal = normal * faceDirection;
	#endif
	normal = normalize( normalMatrix * normal );
#elif defined( USE_NORMALMAP_TANGENTSPACE )
	vec3 mapN = texture2D( normalMap, vNormalMapUv ).xyz * 2.0 - 1.0;
	#if defined( USE_PACKED_NORMALMAP )
		mapN = vec3( mapN.xy, sqrt( saturate( 1.0 - dot( mapN.xy, mapN.xy ) ) ) );
	#endif
	mapN.xy *= normalScale;
	normal = normalize( tbn * mapN );
#elif defined( USE_BUMPMAP )
	normal = perturbNormalArb( - vViewPosition, normal, dHdxy_fwd(), faceDirection );
#endif`,P3=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,I3=`#ifndef FLAT_SHADED
	varying vec3 vNormal;
	#ifdef USE_TANGENT
		varying vec3 vTangent;
		varying vec3 vBitangent;
	#endif
#endif`,L3=`#ifndef FLAT_SHADED
	vNormal = normalize( transformedNormal );
	#ifdef USE_TANGENT
		vTangent = normalize( transformedTangent );
		vBitangent = normalize( cross( vNormal, vTangent ) * tangent.w );
		#ifdef FLIP_SIDED
			vBitangent = - vBitangent;
		#endif
	#endif
#endif`,D3=`#ifdef USE_NORMALMAP
	uniform sampler2D normalMap;
	uniform vec2 normalScale;
#endif
#ifdef USE_NORMALMAP_OBJECTSPACE
	uniform mat3 normalMatrix;
#endif
#if ! defined ( USE_TANGENT ) && ( defined ( USE_NORMALMAP_TANGENTSPACE ) || defined ( USE_CLEARCOAT_NORMALMAP ) || defined( USE_ANISOTROPY ) )
	mat3 getTangentFrame( vec3 eye_pos, vec3 surf_norm, vec2 uv ) {
		vec3 q0 = dFdx( eye_pos.xyz );
		vec3 q1 = dFdy( eye_pos.xyz );
		vec2 st0 = dFdx( uv.st );
		vec2 st1 = dFdy( uv.st );
		vec3 N = surf_norm;
		vec3 q1perp = cross( q1, N );
		vec3 q0perp = cross( N, q0 );
		vec3 T = q1perp * st0.x + q0perp * st1.x;
		vec3 B = q1perp * st0.y + q0perp * st1.y;
		float det = max( dot( T, T ), dot( B, B ) );
		float scale = ( det == 0.0 ) ? 0.0 : inversesqrt( det );
		return mat3( T * scale, B * scale, N );
	}
#endif`,N3=`#ifdef USE_CLEARCOAT
	vec3 clearcoatNormal = nonPerturbedNormal;
#endif`,F3=`#ifdef USE_CLEARCOAT_NORMALMAP
	vec3 clearcoatMapN = texture2D( clearcoatNormalMap, vClearcoatNormalMapUv ).xyz * 2.0 - 1.0;
	clearcoatMapN.xy *= clearcoatNormalScale;
	clearcoatNormal = normalize( tbn2 * clearcoatMapN );
#endif`,U3=`#ifdef USE_CLEARCOATMAP
	uniform sampler2D clearcoatMap;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform sampler2D clearcoatNormalMap;
	uniform vec2 clearcoatNormalScale;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform sampler2D clearcoatRoughnessMap;
#endif`,O3=`#ifdef USE_IRIDESCENCEMAP
	uniform sampler2D iridescenceMap;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform sampler2D iridescenceThicknessMap;
#endif`,k3=`#ifdef OPAQUE
diffuseColor.a = 1.0;
#endif
#ifdef USE_TRANSMISSION
diffuseColor.a *= material.transmissionAlpha;
#endif
gl_FragColor = vec4( outgoingLight, diffuseColor.a );`,B3=`vec3 packNormalToRGB( const in vec3 normal ) {
	return normalize( normal ) * 0.5 + 0.5;
}
vec3 unpackRGBToNormal( const in vec3 rgb ) {
	return 2.0 * rgb.xyz - 1.0;
}
const float PackUpscale = 256. / 255.;const float UnpackDownscale = 255. / 256.;const float ShiftRight8 = 1. / 256.;
const float Inv255 = 1. / 255.;
const vec4 PackFactors = vec4( 1.0, 256.0, 256.0 * 256.0, 256.0 * 256.0 * 256.0 );
const vec2 UnpackFactors2 = vec2( UnpackDownscale, 1.0 / PackFactors.g );
const vec3 UnpackFactors3 = vec3( UnpackDownscale / PackFactors.rg, 1.0 / PackFactors.b );
const vec4 UnpackFactors4 = vec4( UnpackDownscale / PackFactors.rgb, 1.0 / PackFactors.a );
vec4 packDepthToRGBA( const in float v ) {
	if( v <= 0.0 )
		return vec4( 0., 0., 0., 0. );
	if( v >= 1.0 )
		return vec4( 1., 1., 1., 1. );
	float vuf;
	float af = modf( v * PackFactors.a, vuf );
	float bf = modf( vuf * ShiftRight8, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec4( vuf * Inv255, gf * PackUpscale, bf * PackUpscale, af );
}
vec3 packDepthToRGB( const in float v ) {
	if( v <= 0.0 )
		return vec3( 0., 0., 0. );
	if( v >= 1.0 )
		return vec3( 1., 1., 1. );
	float vuf;
	float bf = modf( v * PackFactors.b, vuf );
	float gf = modf( vuf * ShiftRight8, vuf );
	return vec3( vuf * Inv255, gf * PackUpscale, bf );
}
vec2 packDepthToRG( const in float v ) {
	if( v <= 0.0 )
		return vec2( 0., 0. );
	if( v >= 1.0 )
		return vec2( 1., 1. );
	float vuf;
	float gf = modf( v * 256., vuf );
	return vec2( vuf * Inv255, gf );
}
float unpackRGBAToDepth( const in vec4 v ) {
	return dot( v, UnpackFactors4 );
}
float unpackRGBToDepth( const in vec3 v ) {
	return dot( v, UnpackFactors3 );
}
float unpackRGToDepth( const in vec2 v ) {
	return v.r * UnpackFactors2.r + v.g * UnpackFactors2.g;
}
vec4 pack2HalfToRGBA( const in vec2 v ) {
	vec4 r = vec4( v.x, fract( v.x * 255.0 ), v.y, fract( v.y * 255.0 ) );
	return vec4( r.x - r.y / 255.0, r.y, r.z - r.w / 255.0, r.w );
}
vec2 unpackRGBATo2Half( const in vec4 v ) {
	return vec2( v.x + ( v.y / 255.0 ), v.z + ( v.w / 255.0 ) );
}
float viewZToOrthographicDepth( const in float viewZ, const in float near, const in float far ) {
	return ( viewZ + near ) / ( near - far );
}
float orthographicDepthToViewZ( const in float depth, const in float near, const in float far ) {
	#ifdef USE_REVERSED_DEPTH_BUFFER
	
		return depth * ( far - near ) - far;
	#else
		return depth * ( near - far ) - near;
	#endif
}
float viewZToPerspectiveDepth( const in float viewZ, const in float near, const in float far ) {
	return ( ( near + viewZ ) * far ) / ( ( far - near ) * viewZ );
}
float perspectiveDepthToViewZ( const in float depth, const in float near, const in float far ) {
	
	#ifdef USE_REVERSED_DEPTH_BUFFER
		return ( near * far ) / ( ( near - far ) * depth - near );
	#else
		return ( near * far ) / ( ( far - near ) * depth - far );
	#endif
}`,z3=`#ifdef PREMULTIPLIED_ALPHA
	gl_FragColor.rgb *= gl_FragColor.a;
#endif`,V3=`vec4 mvPosition = vec4( transformed, 1.0 );
#ifdef USE_BATCHING
	mvPosition = batchingMatrix * mvPosition;
#endif
#ifdef USE_INSTANCING
	mvPosition = instanceMatrix * mvPosition;
#endif
mvPosition = modelViewMatrix * mvPosition;
gl_Position = projectionMatrix * mvPosition;`,G3=`#ifdef DITHERING
	gl_FragColor.rgb = dithering( gl_FragColor.rgb );
#endif`,H3=`#ifdef DITHERING
	vec3 dithering( vec3 color ) {
		float grid_position = rand( gl_FragCoord.xy );
		vec3 dither_shift_RGB = vec3( 0.25 / 255.0, -0.25 / 255.0, 0.25 / 255.0 );
		dither_shift_RGB = mix( 2.0 * dither_shift_RGB, -2.0 * dither_shift_RGB, grid_position );
		return color + dither_shift_RGB;
	}
#endif`,W3=`float roughnessFactor = roughness;
#ifdef USE_ROUGHNESSMAP
	vec4 texelRoughness = texture2D( roughnessMap, vRoughnessMapUv );
	roughnessFactor *= texelRoughness.g;
#endif`,X3=`#ifdef USE_ROUGHNESSMAP
	uniform sampler2D roughnessMap;
#endif`,q3=`#if NUM_SPOT_LIGHT_COORDS > 0
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#if NUM_SPOT_LIGHT_MAPS > 0
	uniform sampler2D spotLightMap[ NUM_SPOT_LIGHT_MAPS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		#define SUN_LIGHT_CASCADES 2
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#else
			uniform sampler2D sunShadowMap[ NUM_SUN_LIGHT_SHADOWS ];
		#endif
		uniform mat4 sunShadowMatrix[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		uniform vec4 sunShadowCascade[ NUM_SUN_LIGHT_SHADOWS * SUN_LIGHT_CASCADES ];
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
		struct SunLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SunLightShadow sunLightShadows[ NUM_SUN_LIGHT_SHADOWS ];
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#else
			uniform sampler2D directionalShadowMap[ NUM_DIR_LIGHT_SHADOWS ];
		#endif
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform sampler2DShadow spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#else
			uniform sampler2D spotShadowMap[ NUM_SPOT_LIGHT_SHADOWS ];
		#endif
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#if defined( SHADOWMAP_TYPE_PCF )
			uniform samplerCubeShadow pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#elif defined( SHADOWMAP_TYPE_BASIC )
			uniform samplerCube pointShadowMap[ NUM_POINT_LIGHT_SHADOWS ];
		#endif
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float interleavedGradientNoise( vec2 position ) {
			return fract( 52.9829189 * fract( dot( position, vec2( 0.06711056, 0.00583715 ) ) ) );
		}
		vec2 vogelDiskSample( int sampleIndex, int samplesCount, float phi ) {
			const float goldenAngle = 2.399963229728653;
			float r = sqrt( ( float( sampleIndex ) + 0.5 ) / float( samplesCount ) );
			float theta = float( sampleIndex ) * goldenAngle + phi;
			return vec2( cos( theta ), sin( theta ) ) * r;
		}
	#endif
	#if defined( SHADOWMAP_TYPE_PCF )
		float getShadow( sampler2DShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 texelSize = vec2( 1.0 ) / shadowMapSize;
				vec2 radius = shadowRadius * texelSize;
				float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
				shadow = (
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 0, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 1, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 2, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 3, 5, phi ) * radius, shadowCoord.z ) ) +
					texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( 4, 5, phi ) * radius, shadowCoord.z ) )
				) * 0.2;
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#elif defined( SHADOWMAP_TYPE_VSM )
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				vec2 distribution = texture2D( shadowMap, shadowCoord.xy ).rg;
				float mean = distribution.x;
				float variance = distribution.y * distribution.y;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					float hard_shadow = step( mean, shadowCoord.z );
				#else
					float hard_shadow = step( shadowCoord.z, mean );
				#endif
				
				if ( hard_shadow == 1.0 ) {
					shadow = 1.0;
				} else {
					variance = max( variance, 0.0000001 );
					float d = shadowCoord.z - mean;
					float p_max = variance / ( variance + d * d );
					p_max = clamp( ( p_max - 0.3 ) / 0.65, 0.0, 1.0 );
					shadow = max( hard_shadow, p_max );
				}
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#else
		float getShadow( sampler2D shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord ) {
			float shadow = 1.0;
			shadowCoord.xyz /= shadowCoord.w;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				shadowCoord.z -= shadowBias;
			#else
				shadowCoord.z += shadowBias;
			#endif
			bool inFrustum = shadowCoord.x >= 0.0 && shadowCoord.x <= 1.0 && shadowCoord.y >= 0.0 && shadowCoord.y <= 1.0;
			bool frustumTest = inFrustum && shadowCoord.z <= 1.0;
			if ( frustumTest ) {
				float depth = texture2D( shadowMap, shadowCoord.xy ).r;
				#ifdef USE_REVERSED_DEPTH_BUFFER
					shadow = step( depth, shadowCoord.z );
				#else
					shadow = step( shadowCoord.z, depth );
				#endif
			}
			return mix( 1.0, shadow, shadowIntensity );
		}
	#endif
	#if NUM_SUN_LIGHT_SHADOWS > 0
		float getSunShadow(
			#if defined( SHADOWMAP_TYPE_PCF )
				sampler2DShadow shadowMap,
			#else
				sampler2D shadowMap,
			#endif
			SunLightShadow sunLightShadow,
			int shadowIndex
		) {
			vec4 shadowWorldPosition = vec4( vSunShadowWorldPosition.xyz + vSunShadowWorldNormal * sunLightShadow.shadowNormalBias, 1.0 );
			float viewDepth = vSunShadowWorldPosition.w;
			int cascadeOffset = shadowIndex * SUN_LIGHT_CASCADES;
			float shadow = 1.0;
			for ( int i = SUN_LIGHT_CASCADES - 1; i >= 0; i -- ) {
				vec4 cascade = sunShadowCascade[ cascadeOffset + i ];
				if ( viewDepth >= cascade.x && viewDepth < cascade.y ) {
					float cascadeShadow = getShadow(
						shadowMap,
						sunLightShadow.shadowMapSize,
						sunLightShadow.shadowIntensity,
						sunLightShadow.shadowBias,
						sunLightShadow.shadowRadius,
						sunShadowMatrix[ cascadeOffset + i ] * shadowWorldPosition
					);
					shadow = mix( cascadeShadow, shadow, smoothstep( cascade.z, cascade.y, viewDepth ) );
				}
			}
			return shadow;
		}
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
	#if defined( SHADOWMAP_TYPE_PCF )
	float getPointShadow( samplerCubeShadow shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 bd3D = normalize( lightToPosition );
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float lightDistance = length( lightToPosition );
			float depthRange = shadowCameraFar - shadowCameraNear;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				float depthA = - shadowCameraNear / depthRange - shadowBias;
				float depthB = shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#else
				float depthA = shadowCameraFar / depthRange + shadowBias;
				float depthB = - shadowCameraNear * shadowCameraFar / ( depthRange * lightDistance );
			#endif
			float texelSize = shadowRadius / shadowMapSize.x;
			vec3 absDir = abs( bd3D );
			vec3 tangent = absDir.x > absDir.z ? vec3( 0.0, 1.0, 0.0 ) : vec3( 1.0, 0.0, 0.0 );
			tangent = normalize( cross( bd3D, tangent ) );
			vec3 bitangent = cross( bd3D, tangent );
			float phi = interleavedGradientNoise( gl_FragCoord.xy ) * PI2;
			shadow = 0.0;
			for ( int i = 0; i < 5; i ++ ) {
				vec2 offset = vogelDiskSample( i, 5, phi );
				vec3 direction = bd3D + ( tangent * offset.x + bitangent * offset.y ) * texelSize;
				vec3 absDirection = abs( direction );
				float dp = depthA + depthB / max( max( absDirection.x, absDirection.y ), absDirection.z );
				shadow += texture( shadowMap, vec4( direction, dp ) );
			}
			shadow *= 0.2;
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#elif defined( SHADOWMAP_TYPE_BASIC )
	float getPointShadow( samplerCube shadowMap, vec2 shadowMapSize, float shadowIntensity, float shadowBias, float shadowRadius, vec4 shadowCoord, float shadowCameraNear, float shadowCameraFar ) {
		float shadow = 1.0;
		vec3 lightToPosition = shadowCoord.xyz;
		vec3 absVec = abs( lightToPosition );
		float viewSpaceZ = max( max( absVec.x, absVec.y ), absVec.z );
		if ( viewSpaceZ - shadowCameraFar <= 0.0 && viewSpaceZ - shadowCameraNear >= 0.0 ) {
			float dp = ( shadowCameraFar * ( viewSpaceZ - shadowCameraNear ) ) / ( viewSpaceZ * ( shadowCameraFar - shadowCameraNear ) );
			dp += shadowBias;
			vec3 bd3D = normalize( lightToPosition );
			float depth = textureCube( shadowMap, bd3D ).r;
			#ifdef USE_REVERSED_DEPTH_BUFFER
				depth = 1.0 - depth;
			#endif
			shadow = step( dp, depth );
		}
		return mix( 1.0, shadow, shadowIntensity );
	}
	#endif
	#endif
#endif`,$3=`#if NUM_SPOT_LIGHT_COORDS > 0
	uniform mat4 spotLightMatrix[ NUM_SPOT_LIGHT_COORDS ];
	varying vec4 vSpotLightCoord[ NUM_SPOT_LIGHT_COORDS ];
#endif
#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
		varying vec4 vSunShadowWorldPosition;
		varying vec3 vSunShadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		uniform mat4 directionalShadowMatrix[ NUM_DIR_LIGHT_SHADOWS ];
		varying vec4 vDirectionalShadowCoord[ NUM_DIR_LIGHT_SHADOWS ];
		struct DirectionalLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform DirectionalLightShadow directionalLightShadows[ NUM_DIR_LIGHT_SHADOWS ];
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
		struct SpotLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
		};
		uniform SpotLightShadow spotLightShadows[ NUM_SPOT_LIGHT_SHADOWS ];
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		uniform mat4 pointShadowMatrix[ NUM_POINT_LIGHT_SHADOWS ];
		varying vec4 vPointShadowCoord[ NUM_POINT_LIGHT_SHADOWS ];
		struct PointLightShadow {
			float shadowIntensity;
			float shadowBias;
			float shadowNormalBias;
			float shadowRadius;
			vec2 shadowMapSize;
			float shadowCameraNear;
			float shadowCameraFar;
		};
		uniform PointLightShadow pointLightShadows[ NUM_POINT_LIGHT_SHADOWS ];
	#endif
#endif`,Y3=`#if ( defined( USE_SHADOWMAP ) && ( NUM_DIR_LIGHT_SHADOWS > 0 || NUM_SUN_LIGHT_SHADOWS > 0 || NUM_POINT_LIGHT_SHADOWS > 0 ) ) || ( NUM_SPOT_LIGHT_COORDS > 0 )
	#ifdef HAS_NORMAL
		vec3 shadowWorldNormal = transformNormalByInverseViewMatrix( transformedNormal, viewMatrix );
	#else
		vec3 shadowWorldNormal = vec3( 0.0 );
	#endif
	vec4 shadowWorldPosition;
#endif
#if defined( USE_SHADOWMAP )
	#if NUM_SUN_LIGHT_SHADOWS > 0
		vSunShadowWorldPosition = vec4( worldPosition.xyz, - mvPosition.z );
		vSunShadowWorldNormal = shadowWorldNormal;
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows[ i ].shadowNormalBias, 0 );
			vDirectionalShadowCoord[ i ] = directionalShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0
		#pragma unroll_loop_start
		for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
			shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * pointLightShadows[ i ].shadowNormalBias, 0 );
			vPointShadowCoord[ i ] = pointShadowMatrix[ i ] * shadowWorldPosition;
		}
		#pragma unroll_loop_end
	#endif
#endif
#if NUM_SPOT_LIGHT_COORDS > 0
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_COORDS; i ++ ) {
		shadowWorldPosition = worldPosition;
		#if ( defined( USE_SHADOWMAP ) && UNROLLED_LOOP_INDEX < NUM_SPOT_LIGHT_SHADOWS )
			shadowWorldPosition.xyz += shadowWorldNormal * spotLightShadows[ i ].shadowNormalBias;
		#endif
		vSpotLightCoord[ i ] = spotLightMatrix[ i ] * shadowWorldPosition;
	}
	#pragma unroll_loop_end
#endif`,Z3=`float getShadowMask() {
	float shadow = 1.0;
	#ifdef USE_SHADOWMAP
	#if NUM_SUN_LIGHT_SHADOWS > 0
	SunLightShadow sunLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SUN_LIGHT_SHADOWS; i ++ ) {
		sunLight = sunLightShadows[ i ];
		shadow *= receiveShadow ? getSunShadow( sunShadowMap[ i ], sunLight, UNROLLED_LOOP_INDEX ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_DIR_LIGHT_SHADOWS > 0
	DirectionalLightShadow directionalLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
		directionalLight = directionalLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( directionalShadowMap[ i ], directionalLight.shadowMapSize, directionalLight.shadowIntensity, directionalLight.shadowBias, directionalLight.shadowRadius, vDirectionalShadowCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_SPOT_LIGHT_SHADOWS > 0
	SpotLightShadow spotLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_SPOT_LIGHT_SHADOWS; i ++ ) {
		spotLight = spotLightShadows[ i ];
		shadow *= receiveShadow ? getShadow( spotShadowMap[ i ], spotLight.shadowMapSize, spotLight.shadowIntensity, spotLight.shadowBias, spotLight.shadowRadius, vSpotLightCoord[ i ] ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#if NUM_POINT_LIGHT_SHADOWS > 0 && ( defined( SHADOWMAP_TYPE_PCF ) || defined( SHADOWMAP_TYPE_BASIC ) )
	PointLightShadow pointLight;
	#pragma unroll_loop_start
	for ( int i = 0; i < NUM_POINT_LIGHT_SHADOWS; i ++ ) {
		pointLight = pointLightShadows[ i ];
		shadow *= receiveShadow ? getPointShadow( pointShadowMap[ i ], pointLight.shadowMapSize, pointLight.shadowIntensity, pointLight.shadowBias, pointLight.shadowRadius, vPointShadowCoord[ i ], pointLight.shadowCameraNear, pointLight.shadowCameraFar ) : 1.0;
	}
	#pragma unroll_loop_end
	#endif
	#endif
	return shadow;
}`,K3=`#ifdef USE_SKINNING
	mat4 boneMatX = getBoneMatrix( skinIndex.x );
	mat4 boneMatY = getBoneMatrix( skinIndex.y );
	mat4 boneMatZ = getBoneMatrix( skinIndex.z );
	mat4 boneMatW = getBoneMatrix( skinIndex.w );
#endif`,J3=`#ifdef USE_SKINNING
	uniform mat4 bindMatrix;
	uniform mat4 bindMatrixInverse;
	uniform highp sampler2D boneTexture;
	mat4 getBoneMatrix( const in float i ) {
		int size = textureSize( boneTexture, 0 ).x;
		int j = int( i ) * 4;
		int x = j % size;
		int y = j / size;
		vec4 v1 = texelFetch( boneTexture, ivec2( x, y ), 0 );
		vec4 v2 = texelFetch( boneTexture, ivec2( x + 1, y ), 0 );
		vec4 v3 = texelFetch( boneTexture, ivec2( x + 2, y ), 0 );
		vec4 v4 = texelFetch( boneTexture, ivec2( x + 3, y ), 0 );
		return mat4( v1, v2, v3, v4 );
	}
#endif`,j3=`#ifdef USE_SKINNING
	vec4 skinVertex = bindMatrix * vec4( transformed, 1.0 );
	vec4 skinned = vec4( 0.0 );
	skinned += boneMatX * skinVertex * skinWeight.x;
	skinned += boneMatY * skinVertex * skinWeight.y;
	skinned += boneMatZ * skinVertex * skinWeight.z;
	skinned += boneMatW * skinVertex * skinWeight.w;
	transformed = ( bindMatrixInverse * skinned ).xyz;
#endif`,Q3=`#ifdef USE_SKINNING
	mat4 skinMatrix = mat4( 0.0 );
	skinMatrix += skinWeight.x * boneMatX;
	skinMatrix += skinWeight.y * boneMatY;
	skinMatrix += skinWeight.z * boneMatZ;
	skinMatrix += skinWeight.w * boneMatW;
	skinMatrix = bindMatrixInverse * skinMatrix * bindMatrix;
	objectNormal = vec4( skinMatrix * vec4( objectNormal, 0.0 ) ).xyz;
	#ifdef USE_TANGENT
		objectTangent = vec4( skinMatrix * vec4( objectTangent, 0.0 ) ).xyz;
	#endif
#endif`,ev=`float specularStrength;
#ifdef USE_SPECULARMAP
	vec4 texelSpecular = texture2D( specularMap, vSpecularMapUv );
	specularStrength = texelSpecular.r;
#else
	specularStrength = 1.0;
#endif`,tv=`#ifdef USE_SPECULARMAP
	uniform sampler2D specularMap;
#endif`,nv=`#if defined( TONE_MAPPING )
	gl_FragColor.rgb = toneMapping( gl_FragColor.rgb );
#endif`,iv=`#ifndef saturate
#define saturate( a ) clamp( a, 0.0, 1.0 )
#endif
uniform float toneMappingExposure;
vec3 LinearToneMapping( vec3 color ) {
	return saturate( toneMappingExposure * color );
}
vec3 ReinhardToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	return saturate( color / ( vec3( 1.0 ) + color ) );
}
vec3 CineonToneMapping( vec3 color ) {
	color *= toneMappingExposure;
	color = max( vec3( 0.0 ), color - 0.004 );
	return pow( ( color * ( 6.2 * color + 0.5 ) ) / ( color * ( 6.2 * color + 1.7 ) + 0.06 ), vec3( 2.2 ) );
}
vec3 RRTAndODTFit( vec3 v ) {
	vec3 a = v * ( v + 0.0245786 ) - 0.000090537;
	vec3 b = v * ( 0.983729 * v + 0.4329510 ) + 0.238081;
	return a / b;
}
vec3 ACESFilmicToneMapping( vec3 color ) {
	const mat3 ACESInputMat = mat3(
		vec3( 0.59719, 0.07600, 0.02840 ),		vec3( 0.35458, 0.90834, 0.13383 ),
		vec3( 0.04823, 0.01566, 0.83777 )
	);
	const mat3 ACESOutputMat = mat3(
		vec3(  1.60475, -0.10208, -0.00327 ),		vec3( -0.53108,  1.10813, -0.07276 ),
		vec3( -0.07367, -0.00605,  1.07602 )
	);
	color *= toneMappingExposure / 0.6;
	color = ACESInputMat * color;
	color = RRTAndODTFit( color );
	color = ACESOutputMat * color;
	return saturate( color );
}
const mat3 LINEAR_REC2020_TO_LINEAR_SRGB = mat3(
	vec3( 1.6605, - 0.1246, - 0.0182 ),
	vec3( - 0.5876, 1.1329, - 0.1006 ),
	vec3( - 0.0728, - 0.0083, 1.1187 )
);
const mat3 LINEAR_SRGB_TO_LINEAR_REC2020 = mat3(
	vec3( 0.6274, 0.0691, 0.0164 ),
	vec3( 0.3293, 0.9195, 0.0880 ),
	vec3( 0.0433, 0.0113, 0.8956 )
);
vec3 agxDefaultContrastApprox( vec3 x ) {
	vec3 x2 = x * x;
	vec3 x4 = x2 * x2;
	return + 15.5 * x4 * x2
		- 40.14 * x4 * x
		+ 31.96 * x4
		- 6.868 * x2 * x
		+ 0.4298 * x2
		+ 0.1191 * x
		- 0.00232;
}
vec3 AgXToneMapping( vec3 color ) {
	const mat3 AgXInsetMatrix = mat3(
		vec3( 0.856627153315983, 0.137318972929847, 0.11189821299995 ),
		vec3( 0.0951212405381588, 0.761241990602591, 0.0767994186031903 ),
		vec3( 0.0482516061458583, 0.101439036467562, 0.811302368396859 )
	);
	const mat3 AgXOutsetMatrix = mat3(
		vec3( 1.1271005818144368, - 0.1413297634984383, - 0.14132976349843826 ),
		vec3( - 0.11060664309660323, 1.157823702216272, - 0.11060664309660294 ),
		vec3( - 0.016493938717834573, - 0.016493938717834257, 1.2519364065950405 )
	);
	const float AgxMinEv = - 12.47393;	const float AgxMaxEv = 4.026069;
	color *= toneMappingExposure;
	color = LINEAR_SRGB_TO_LINEAR_REC2020 * color;
	color = AgXInsetMatrix * color;
	color = max( color, 1e-10 );	color = log2( color );
	color = ( color - AgxMinEv ) / ( AgxMaxEv - AgxMinEv );
	color = clamp( color, 0.0, 1.0 );
	color = agxDefaultContrastApprox( color );
	color = AgXOutsetMatrix * color;
	color = pow( max( vec3( 0.0 ), color ), vec3( 2.2 ) );
	color = LINEAR_REC2020_TO_LINEAR_SRGB * color;
	color = clamp( color, 0.0, 1.0 );
	return color;
}
vec3 NeutralToneMapping( vec3 color ) {
	const float StartCompression = 0.8 - 0.04;
	const float Desaturation = 0.15;
	color *= toneMappingExposure;
	float x = min( color.r, min( color.g, color.b ) );
	float offset = x < 0.08 ? x - 6.25 * x * x : 0.04;
	color -= offset;
	float peak = max( color.r, max( color.g, color.b ) );
	if ( peak < StartCompression ) return color;
	float d = 1. - StartCompression;
	float newPeak = 1. - d * d / ( peak + d - StartCompression );
	color *= newPeak / peak;
	float g = 1. - 1. / ( Desaturation * ( peak - newPeak ) + 1. );
	return mix( color, vec3( newPeak ), g );
}
vec3 CustomToneMapping( vec3 color ) { return color; }`,sv=`#ifdef USE_TRANSMISSION
	material.transmission = transmission;
	material.transmissionAlpha = 1.0;
	material.thickness = thickness;
	material.attenuationDistance = attenuationDistance;
	material.attenuationColor = attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		material.transmission *= texture2D( transmissionMap, vTransmissionMapUv ).r;
	#endif
	#ifdef USE_THICKNESSMAP
		material.thickness *= texture2D( thicknessMap, vThicknessMapUv ).g;
	#endif
	vec3 pos = vWorldPosition;
	vec3 v = normalize( cameraPosition - pos );
	vec3 n = transformNormalByInverseViewMatrix( normal, viewMatrix );
	vec4 transmitted = getIBLVolumeRefraction(
		n, v, material.roughness, material.diffuseContribution, material.specularColorBlended, material.specularF90,
		pos, modelMatrix, viewMatrix, projectionMatrix, material.dispersion, material.ior, material.thickness,
		material.attenuationColor, material.attenuationDistance );
	material.transmissionAlpha = mix( material.transmissionAlpha, transmitted.a, material.transmission );
	totalDiffuse = mix( totalDiffuse, transmitted.rgb, material.transmission );
#endif`,rv=`#ifdef USE_TRANSMISSION
	uniform float transmission;
	uniform float thickness;
	uniform float attenuationDistance;
	uniform vec3 attenuationColor;
	#ifdef USE_TRANSMISSIONMAP
		uniform sampler2D transmissionMap;
	#endif
	#ifdef USE_THICKNESSMAP
		uniform sampler2D thicknessMap;
	#endif
	uniform vec2 transmissionSamplerSize;
	uniform sampler2D transmissionSamplerMap;
	uniform mat4 modelMatrix;
	uniform mat4 projectionMatrix;
	varying vec3 vWorldPosition;
	float w0( float a ) {
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - a + 3.0 ) - 3.0 ) + 1.0 );
	}
	float w1( float a ) {
		return ( 1.0 / 6.0 ) * ( a *  a * ( 3.0 * a - 6.0 ) + 4.0 );
	}
	float w2( float a ){
		return ( 1.0 / 6.0 ) * ( a * ( a * ( - 3.0 * a + 3.0 ) + 3.0 ) + 1.0 );
	}
	float w3( float a ) {
		return ( 1.0 / 6.0 ) * ( a * a * a );
	}
	float g0( float a ) {
		return w0( a ) + w1( a );
	}
	float g1( float a ) {
		return w2( a ) + w3( a );
	}
	float h0( float a ) {
		return - 1.0 + w1( a ) / ( w0( a ) + w1( a ) );
	}
	float h1( float a ) {
		return 1.0 + w3( a ) / ( w2( a ) + w3( a ) );
	}
	vec4 bicubic( sampler2D tex, vec2 uv, vec4 texelSize, float lod ) {
		uv = uv * texelSize.zw + 0.5;
		vec2 iuv = floor( uv );
		vec2 fuv = fract( uv );
		float g0x = g0( fuv.x );
		float g1x = g1( fuv.x );
		float h0x = h0( fuv.x );
		float h1x = h1( fuv.x );
		float h0y = h0( fuv.y );
		float h1y = h1( fuv.y );
		vec2 p0 = ( vec2( iuv.x + h0x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p1 = ( vec2( iuv.x + h1x, iuv.y + h0y ) - 0.5 ) * texelSize.xy;
		vec2 p2 = ( vec2( iuv.x + h0x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		vec2 p3 = ( vec2( iuv.x + h1x, iuv.y + h1y ) - 0.5 ) * texelSize.xy;
		return g0( fuv.y ) * ( g0x * textureLod( tex, p0, lod ) + g1x * textureLod( tex, p1, lod ) ) +
			g1( fuv.y ) * ( g0x * textureLod( tex, p2, lod ) + g1x * textureLod( tex, p3, lod ) );
	}
	vec4 textureBicubic( sampler2D sampler, vec2 uv, float lod ) {
		vec2 fLodSize = vec2( textureSize( sampler, int( lod ) ) );
		vec2 cLodSize = vec2( textureSize( sampler, int( lod + 1.0 ) ) );
		vec2 fLodSizeInv = 1.0 / fLodSize;
		vec2 cLodSizeInv = 1.0 / cLodSize;
		vec4 fSample = bicubic( sampler, uv, vec4( fLodSizeInv, fLodSize ), floor( lod ) );
		vec4 cSample = bicubic( sampler, uv, vec4( cLodSizeInv, cLodSize ), ceil( lod ) );
		return mix( fSample, cSample, fract( lod ) );
	}
	vec3 getVolumeTransmissionRay( const in vec3 n, const in vec3 v, const in float thickness, const in float ior, const in mat4 modelMatrix ) {
		vec3 refractionVector = refract( - v, normalize( n ), 1.0 / ior );
		vec3 modelScale;
		modelScale.x = length( vec3( modelMatrix[ 0 ].xyz ) );
		modelScale.y = length( vec3( modelMatrix[ 1 ].xyz ) );
		modelScale.z = length( vec3( modelMatrix[ 2 ].xyz ) );
		return normalize( refractionVector ) * thickness * modelScale;
	}
	float applyIorToRoughness( const in float roughness, const in float ior ) {
		return roughness * clamp( ior * 2.0 - 2.0, 0.0, 1.0 );
	}
	vec4 getTransmissionSample( const in vec2 fragCoord, const in float roughness, const in float ior ) {
		float lod = log2( transmissionSamplerSize.x ) * applyIorToRoughness( roughness, ior );
		return textureBicubic( transmissionSamplerMap, fragCoord.xy, lod );
	}
	vec3 volumeAttenuation( const in float transmissionDistance, const in vec3 attenuationColor, const in float attenuationDistance ) {
		if ( isinf( attenuationDistance ) ) {
			return vec3( 1.0 );
		} else {
			vec3 attenuationCoefficient = -log( attenuationColor ) / attenuationDistance;
			vec3 transmittance = exp( - attenuationCoefficient * transmissionDistance );			return transmittance;
		}
	}
	vec4 getIBLVolumeRefraction( const in vec3 n, const in vec3 v, const in float roughness, const in vec3 diffuseColor,
		const in vec3 specularColor, const in float specularF90, const in vec3 position, const in mat4 modelMatrix,
		const in mat4 viewMatrix, const in mat4 projMatrix, const in float dispersion, const in float ior, const in float thickness,
		const in vec3 attenuationColor, const in float attenuationDistance ) {
		vec4 transmittedLight;
		vec3 transmittance;
		#ifdef USE_DISPERSION
			float halfSpread = ( ior - 1.0 ) * 0.025 * dispersion;
			vec3 iors = vec3( ior - halfSpread, ior, ior + halfSpread );
			for ( int i = 0; i < 3; i ++ ) {
				vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, iors[ i ], modelMatrix );
				vec3 refractedRayExit = position + transmissionRay;
				vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
				vec2 refractionCoords = ndcPos.xy / ndcPos.w;
				refractionCoords += 1.0;
				refractionCoords /= 2.0;
				vec4 transmissionSample = getTransmissionSample( refractionCoords, roughness, iors[ i ] );
				transmittedLight[ i ] = transmissionSample[ i ];
				transmittedLight.a += transmissionSample.a;
				transmittance[ i ] = diffuseColor[ i ] * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance )[ i ];
			}
			transmittedLight.a /= 3.0;
		#else
			vec3 transmissionRay = getVolumeTransmissionRay( n, v, thickness, ior, modelMatrix );
			vec3 refractedRayExit = position + transmissionRay;
			vec4 ndcPos = projMatrix * viewMatrix * vec4( refractedRayExit, 1.0 );
			vec2 refractionCoords = ndcPos.xy / ndcPos.w;
			refractionCoords += 1.0;
			refractionCoords /= 2.0;
			transmittedLight = getTransmissionSample( refractionCoords, roughness, ior );
			transmittance = diffuseColor * volumeAttenuation( length( transmissionRay ), attenuationColor, attenuationDistance );
		#endif
		vec3 attenuatedColor = transmittance * transmittedLight.rgb;
		vec3 F = EnvironmentBRDF( n, v, specularColor, specularF90, roughness );
		float transmittanceFactor = ( transmittance.r + transmittance.g + transmittance.b ) / 3.0;
		return vec4( ( 1.0 - F ) * attenuatedColor, 1.0 - ( 1.0 - transmittedLight.a ) * transmittanceFactor );
	}
#endif`,ov=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_SPECULARMAP
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,av=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	varying vec2 vUv;
#endif
#ifdef USE_MAP
	uniform mat3 mapTransform;
	varying vec2 vMapUv;
#endif
#ifdef USE_ALPHAMAP
	uniform mat3 alphaMapTransform;
	varying vec2 vAlphaMapUv;
#endif
#ifdef USE_LIGHTMAP
	uniform mat3 lightMapTransform;
	varying vec2 vLightMapUv;
#endif
#ifdef USE_AOMAP
	uniform mat3 aoMapTransform;
	varying vec2 vAoMapUv;
#endif
#ifdef USE_BUMPMAP
	uniform mat3 bumpMapTransform;
	varying vec2 vBumpMapUv;
#endif
#ifdef USE_NORMALMAP
	uniform mat3 normalMapTransform;
	varying vec2 vNormalMapUv;
#endif
#ifdef USE_DISPLACEMENTMAP
	uniform mat3 displacementMapTransform;
	varying vec2 vDisplacementMapUv;
#endif
#ifdef USE_EMISSIVEMAP
	uniform mat3 emissiveMapTransform;
	varying vec2 vEmissiveMapUv;
#endif
#ifdef USE_METALNESSMAP
	uniform mat3 metalnessMapTransform;
	varying vec2 vMetalnessMapUv;
#endif
#ifdef USE_ROUGHNESSMAP
	uniform mat3 roughnessMapTransform;
	varying vec2 vRoughnessMapUv;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	uniform mat3 diffuseRoughnessMapTransform;
	varying vec2 vDiffuseRoughnessMapUv;
#endif
#ifdef USE_ANISOTROPYMAP
	uniform mat3 anisotropyMapTransform;
	varying vec2 vAnisotropyMapUv;
#endif
#ifdef USE_CLEARCOATMAP
	uniform mat3 clearcoatMapTransform;
	varying vec2 vClearcoatMapUv;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	uniform mat3 clearcoatNormalMapTransform;
	varying vec2 vClearcoatNormalMapUv;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	uniform mat3 clearcoatRoughnessMapTransform;
	varying vec2 vClearcoatRoughnessMapUv;
#endif
#ifdef USE_SHEEN_COLORMAP
	uniform mat3 sheenColorMapTransform;
	varying vec2 vSheenColorMapUv;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	uniform mat3 sheenRoughnessMapTransform;
	varying vec2 vSheenRoughnessMapUv;
#endif
#ifdef USE_IRIDESCENCEMAP
	uniform mat3 iridescenceMapTransform;
	varying vec2 vIridescenceMapUv;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	uniform mat3 iridescenceThicknessMapTransform;
	varying vec2 vIridescenceThicknessMapUv;
#endif
#ifdef USE_SPECULARMAP
	uniform mat3 specularMapTransform;
	varying vec2 vSpecularMapUv;
#endif
#ifdef USE_SPECULAR_COLORMAP
	uniform mat3 specularColorMapTransform;
	varying vec2 vSpecularColorMapUv;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	uniform mat3 specularIntensityMapTransform;
	varying vec2 vSpecularIntensityMapUv;
#endif
#ifdef USE_TRANSMISSIONMAP
	uniform mat3 transmissionMapTransform;
	varying vec2 vTransmissionMapUv;
#endif
#ifdef USE_THICKNESSMAP
	uniform mat3 thicknessMapTransform;
	varying vec2 vThicknessMapUv;
#endif`,lv=`#if defined( USE_UV ) || defined( USE_ANISOTROPY )
	vUv = vec3( uv, 1 ).xy;
#endif
#ifdef USE_MAP
	vMapUv = ( mapTransform * vec3( MAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ALPHAMAP
	vAlphaMapUv = ( alphaMapTransform * vec3( ALPHAMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_LIGHTMAP
	vLightMapUv = ( lightMapTransform * vec3( LIGHTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_AOMAP
	vAoMapUv = ( aoMapTransform * vec3( AOMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_BUMPMAP
	vBumpMapUv = ( bumpMapTransform * vec3( BUMPMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_NORMALMAP
	vNormalMapUv = ( normalMapTransform * vec3( NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DISPLACEMENTMAP
	vDisplacementMapUv = ( displacementMapTransform * vec3( DISPLACEMENTMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_EMISSIVEMAP
	vEmissiveMapUv = ( emissiveMapTransform * vec3( EMISSIVEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_METALNESSMAP
	vMetalnessMapUv = ( metalnessMapTransform * vec3( METALNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ROUGHNESSMAP
	vRoughnessMapUv = ( roughnessMapTransform * vec3( ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_DIFFUSE_ROUGHNESSMAP
	vDiffuseRoughnessMapUv = ( diffuseRoughnessMapTransform * vec3( DIFFUSE_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_ANISOTROPYMAP
	vAnisotropyMapUv = ( anisotropyMapTransform * vec3( ANISOTROPYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOATMAP
	vClearcoatMapUv = ( clearcoatMapTransform * vec3( CLEARCOATMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_NORMALMAP
	vClearcoatNormalMapUv = ( clearcoatNormalMapTransform * vec3( CLEARCOAT_NORMALMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_CLEARCOAT_ROUGHNESSMAP
	vClearcoatRoughnessMapUv = ( clearcoatRoughnessMapTransform * vec3( CLEARCOAT_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCEMAP
	vIridescenceMapUv = ( iridescenceMapTransform * vec3( IRIDESCENCEMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_IRIDESCENCE_THICKNESSMAP
	vIridescenceThicknessMapUv = ( iridescenceThicknessMapTransform * vec3( IRIDESCENCE_THICKNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_COLORMAP
	vSheenColorMapUv = ( sheenColorMapTransform * vec3( SHEEN_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SHEEN_ROUGHNESSMAP
	vSheenRoughnessMapUv = ( sheenRoughnessMapTransform * vec3( SHEEN_ROUGHNESSMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULARMAP
	vSpecularMapUv = ( specularMapTransform * vec3( SPECULARMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_COLORMAP
	vSpecularColorMapUv = ( specularColorMapTransform * vec3( SPECULAR_COLORMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_SPECULAR_INTENSITYMAP
	vSpecularIntensityMapUv = ( specularIntensityMapTransform * vec3( SPECULAR_INTENSITYMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_TRANSMISSIONMAP
	vTransmissionMapUv = ( transmissionMapTransform * vec3( TRANSMISSIONMAP_UV, 1 ) ).xy;
#endif
#ifdef USE_THICKNESSMAP
	vThicknessMapUv = ( thicknessMapTransform * vec3( THICKNESSMAP_UV, 1 ) ).xy;
#endif`,cv=`#if defined( USE_ENVMAP ) || defined( DISTANCE ) || defined ( USE_SHADOWMAP ) || defined ( USE_TRANSMISSION ) || NUM_SPOT_LIGHT_COORDS > 0
	vec4 worldPosition = vec4( transformed, 1.0 );
	#ifdef USE_BATCHING
		worldPosition = batchingMatrix * worldPosition;
	#endif
	#ifdef USE_INSTANCING
		worldPosition = instanceMatrix * worldPosition;
	#endif
	worldPosition = modelMatrix * worldPosition;
#endif`,hv=`varying vec2 vUv;
uniform mat3 uvTransform;
void main() {
	vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	gl_Position = vec4( position.xy, 1.0, 1.0 );
}`,uv=`uniform sampler2D t2D;
uniform float backgroundIntensity;
varying vec2 vUv;
void main() {
	vec4 texColor = texture2D( t2D, vUv );
	#ifdef DECODE_VIDEO_TEXTURE
		texColor = vec4( mix( pow( texColor.rgb * 0.9478672986 + vec3( 0.0521327014 ), vec3( 2.4 ) ), texColor.rgb * 0.0773993808, vec3( lessThanEqual( texColor.rgb, vec3( 0.04045 ) ) ) ), texColor.w );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,dv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,fv=`uniform float backgroundBlurriness;
uniform float backgroundIntensity;
uniform mat3 backgroundRotation;
varying vec3 vWorldDirection;
#include <envmap_common_pars_fragment>
void main() {
	#ifdef ENVMAP_TYPE_PMREM
		vec4 texColor = textureLod( envMap, backgroundRotation * vWorldDirection, roughnessToMip( backgroundBlurriness ) );
	#else
		vec4 texColor = textureCube( envMap, backgroundRotation * vWorldDirection );
	#endif
	texColor.rgb *= backgroundIntensity;
	gl_FragColor = texColor;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,pv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
	gl_Position.z = gl_Position.w;
}`,mv=`uniform samplerCube tCube;
uniform float tFlip;
uniform float opacity;
varying vec3 vWorldDirection;
void main() {
	vec4 texColor = textureCube( tCube, vec3( tFlip * vWorldDirection.x, vWorldDirection.yz ) );
	gl_FragColor = texColor;
	gl_FragColor.a *= opacity;
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,gv=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
varying vec2 vHighPrecisionZW;
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vHighPrecisionZW = gl_Position.zw;
}`,_v=`#if DEPTH_PACKING == 3200
	uniform float opacity;
#endif
#include <common>
#include <packing>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
varying vec2 vHighPrecisionZW;
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#if DEPTH_PACKING == 3200
		diffuseColor.a = opacity;
	#endif
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <logdepthbuf_fragment>
	#ifdef USE_REVERSED_DEPTH_BUFFER
		float fragCoordZ = vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ];
	#else
		float fragCoordZ = 0.5 * vHighPrecisionZW[ 0 ] / vHighPrecisionZW[ 1 ] + 0.5;
	#endif
	#if DEPTH_PACKING == 3200
		gl_FragColor = vec4( vec3( 1.0 - fragCoordZ ), opacity );
	#elif DEPTH_PACKING == 3201
		gl_FragColor = packDepthToRGBA( fragCoordZ );
	#elif DEPTH_PACKING == 3202
		gl_FragColor = vec4( packDepthToRGB( fragCoordZ ), 1.0 );
	#elif DEPTH_PACKING == 3203
		gl_FragColor = vec4( packDepthToRG( fragCoordZ ), 0.0, 1.0 );
	#endif
}`,yv=`#define DISTANCE
varying vec3 vWorldPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <skinbase_vertex>
	#include <morphinstance_vertex>
	#ifdef USE_DISPLACEMENTMAP
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <worldpos_vertex>
	#include <clipping_planes_vertex>
	vWorldPosition = worldPosition.xyz;
}`,xv=`#define DISTANCE
uniform vec3 referencePosition;
uniform float nearDistance;
uniform float farDistance;
varying vec3 vWorldPosition;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 1.0 );
	#include <clipping_planes_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	float dist = length( vWorldPosition - referencePosition );
	dist = ( dist - nearDistance ) / ( farDistance - nearDistance );
	dist = saturate( dist );
	gl_FragColor = vec4( dist, 0.0, 0.0, 1.0 );
}`,vv=`varying vec3 vWorldDirection;
#include <common>
void main() {
	vWorldDirection = transformDirection( position, modelMatrix );
	#include <begin_vertex>
	#include <project_vertex>
}`,bv=`uniform sampler2D tEquirect;
varying vec3 vWorldDirection;
#include <common>
void main() {
	vec3 direction = normalize( vWorldDirection );
	vec2 sampleUV = equirectUv( direction );
	gl_FragColor = texture2D( tEquirect, sampleUV );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
}`,Sv=`uniform float scale;
attribute float lineDistance;
varying float vLineDistance;
#include <common>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	vLineDistance = scale * lineDistance;
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Mv=`uniform vec3 diffuse;
uniform float opacity;
uniform float dashSize;
uniform float totalSize;
varying float vLineDistance;
#include <common>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	if ( mod( vLineDistance, totalSize ) > dashSize ) {
		discard;
	}
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,wv=`#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#if defined ( USE_ENVMAP ) || defined ( USE_SKINNING )
		#include <beginnormal_vertex>
		#include <morphnormal_vertex>
		#include <skinbase_vertex>
		#include <skinnormal_vertex>
		#include <defaultnormal_vertex>
	#endif
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <fog_vertex>
}`,Ev=`uniform vec3 diffuse;
uniform float opacity;
#ifndef FLAT_SHADED
	varying vec3 vNormal;
#endif
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <fog_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	#ifdef USE_LIGHTMAP
		vec4 lightMapTexel = texture2D( lightMap, vLightMapUv );
		reflectedLight.indirectDiffuse += lightMapTexel.rgb * lightMapIntensity * RECIPROCAL_PI;
	#else
		reflectedLight.indirectDiffuse += vec3( 1.0 );
	#endif
	#include <aomap_fragment>
	reflectedLight.indirectDiffuse *= diffuseColor.rgb;
	vec3 outgoingLight = reflectedLight.indirectDiffuse;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Tv=`#define LAMBERT
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Av=`#define LAMBERT
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_lambert_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_lambert_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Rv=`#define MATCAP
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <color_pars_vertex>
#include <displacementmap_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
	vViewPosition = - mvPosition.xyz;
}`,Cv=`#define MATCAP
uniform vec3 diffuse;
uniform float opacity;
uniform sampler2D matcap;
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	vec3 viewDir = normalize( vViewPosition );
	vec3 x = normalize( vec3( viewDir.z, 0.0, - viewDir.x ) );
	vec3 y = cross( viewDir, x );
	vec2 uv = vec2( dot( x, normal ), dot( y, normal ) ) * 0.495 + 0.5;
	#ifdef USE_MATCAP
		vec4 matcapColor = texture2D( matcap, uv );
	#else
		vec4 matcapColor = vec4( vec3( mix( 0.2, 0.8, uv.y ) ), 1.0 );
	#endif
	vec3 outgoingLight = diffuseColor.rgb * matcapColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Pv=`#define NORMAL
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	vViewPosition = - mvPosition.xyz;
#endif
}`,Iv=`#define NORMAL
uniform float opacity;
#if defined( FLAT_SHADED ) || defined( USE_BUMPMAP ) || defined( USE_NORMALMAP_TANGENTSPACE )
	varying vec3 vViewPosition;
#endif
#include <uv_pars_fragment>
#include <normal_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( 0.0, 0.0, 0.0, opacity );
	#include <clipping_planes_fragment>
	#include <logdepthbuf_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	gl_FragColor = vec4( normalize( normal ) * 0.5 + 0.5, diffuseColor.a );
	#ifdef OPAQUE
		gl_FragColor.a = 1.0;
	#endif
}`,Lv=`#define PHONG
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <envmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <envmap_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Dv=`#define PHONG
uniform vec3 diffuse;
uniform vec3 emissive;
uniform vec3 specular;
uniform float shininess;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_phong_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <specularmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <specularmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_phong_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + reflectedLight.directSpecular + reflectedLight.indirectSpecular + totalEmissiveRadiance;
	#include <envmap_fragment>
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Nv=`#define STANDARD
varying vec3 vViewPosition;
#ifdef USE_TRANSMISSION
	varying vec3 vWorldPosition;
#endif
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
#ifdef USE_TRANSMISSION
	vWorldPosition = worldPosition.xyz;
#endif
}`,Fv=`#define STANDARD
#ifdef PHYSICAL
	#define IOR
	#define USE_SPECULAR
#endif
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float roughness;
uniform float metalness;
uniform float opacity;
#ifdef IOR
	uniform float ior;
#endif
#ifdef USE_SPECULAR
	uniform float specularIntensity;
	uniform vec3 specularColor;
	#ifdef USE_SPECULAR_COLORMAP
		uniform sampler2D specularColorMap;
	#endif
	#ifdef USE_SPECULAR_INTENSITYMAP
		uniform sampler2D specularIntensityMap;
	#endif
#endif
#ifdef USE_CLEARCOAT
	uniform float clearcoat;
	uniform float clearcoatRoughness;
#endif
#ifdef USE_DIFFUSE_ROUGHNESS
	uniform float diffuseRoughness;
	#ifdef USE_DIFFUSE_ROUGHNESSMAP
		uniform sampler2D diffuseRoughnessMap;
	#endif
#endif
#ifdef USE_DISPERSION
	uniform float dispersion;
#endif
#ifdef USE_RETROREFLECTION
	uniform float retroreflectivity;
#endif
#ifdef USE_IRIDESCENCE
	uniform float iridescence;
	uniform float iridescenceIOR;
	uniform float iridescenceThicknessMinimum;
	uniform float iridescenceThicknessMaximum;
#endif
#ifdef USE_SHEEN
	uniform vec3 sheenColor;
	uniform float sheenRoughness;
	#ifdef USE_SHEEN_COLORMAP
		uniform sampler2D sheenColorMap;
	#endif
	#ifdef USE_SHEEN_ROUGHNESSMAP
		uniform sampler2D sheenRoughnessMap;
	#endif
#endif
#ifdef USE_ANISOTROPY
	uniform vec2 anisotropyVector;
	#ifdef USE_ANISOTROPYMAP
		uniform sampler2D anisotropyMap;
	#endif
#endif
varying vec3 vViewPosition;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <iridescence_fragment>
#include <envmap_common_pars_fragment>
#include <envmap_physical_pars_fragment>
#include <fog_pars_fragment>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_physical_pars_fragment>
#include <transmission_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <clearcoat_pars_fragment>
#include <iridescence_pars_fragment>
#include <roughnessmap_pars_fragment>
#include <metalnessmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <roughnessmap_fragment>
	#include <metalnessmap_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <clearcoat_normal_fragment_begin>
	#include <clearcoat_normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_physical_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 totalDiffuse = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse;
	vec3 totalSpecular = reflectedLight.directSpecular + reflectedLight.indirectSpecular;
	#include <transmission_fragment>
	vec3 outgoingLight = totalDiffuse + totalSpecular + totalEmissiveRadiance;
	#ifdef USE_SHEEN
 
		outgoingLight = outgoingLight + sheenSpecularDirect + sheenSpecularIndirect;
 
 	#endif
	#ifdef USE_CLEARCOAT
		float dotNVcc = saturate( dot( geometryClearcoatNormal, geometryViewDir ) );
		vec3 Fcc = F_Schlick( material.clearcoatF0, material.clearcoatF90, dotNVcc );
		outgoingLight = outgoingLight * ( 1.0 - material.clearcoat * Fcc ) + ( clearcoatSpecularDirect + clearcoatSpecularIndirect ) * material.clearcoat;
	#endif
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,Uv=`#define TOON
varying vec3 vViewPosition;
#include <common>
#include <batching_pars_vertex>
#include <uv_pars_vertex>
#include <displacementmap_pars_vertex>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <normal_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <shadowmap_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <normal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <displacementmap_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	vViewPosition = - mvPosition.xyz;
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Ov=`#define TOON
uniform vec3 diffuse;
uniform vec3 emissive;
uniform float opacity;
#include <common>
#include <dithering_pars_fragment>
#include <color_pars_fragment>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <aomap_pars_fragment>
#include <lightmap_pars_fragment>
#include <emissivemap_pars_fragment>
#include <gradientmap_pars_fragment>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <normal_pars_fragment>
#include <lights_toon_pars_fragment>
#include <shadowmap_pars_fragment>
#include <bumpmap_pars_fragment>
#include <normalmap_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	ReflectedLight reflectedLight = ReflectedLight( vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ), vec3( 0.0 ) );
	vec3 totalEmissiveRadiance = emissive;
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <color_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	#include <normal_fragment_begin>
	#include <normal_fragment_maps>
	#include <emissivemap_fragment>
	#include <lights_toon_fragment>
	#include <lights_fragment_begin>
	#include <lights_fragment_maps>
	#include <lights_fragment_end>
	#include <aomap_fragment>
	vec3 outgoingLight = reflectedLight.directDiffuse + reflectedLight.indirectDiffuse + totalEmissiveRadiance;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
	#include <dithering_fragment>
}`,kv=`uniform float size;
uniform float scale;
#include <common>
#include <color_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
#ifdef USE_POINTS_UV
	varying vec2 vUv;
	uniform mat3 uvTransform;
#endif
void main() {
	#ifdef USE_POINTS_UV
		vUv = ( uvTransform * vec3( uv, 1 ) ).xy;
	#endif
	#include <color_vertex>
	#include <morphinstance_vertex>
	#include <morphcolor_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <project_vertex>
	gl_PointSize = size;
	#ifdef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) gl_PointSize *= ( scale / - mvPosition.z );
	#endif
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <worldpos_vertex>
	#include <fog_vertex>
}`,Bv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <color_pars_fragment>
#include <map_particle_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_particle_fragment>
	#include <color_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,zv=`#include <common>
#include <batching_pars_vertex>
#include <fog_pars_vertex>
#include <morphtarget_pars_vertex>
#include <skinning_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <shadowmap_pars_vertex>
void main() {
	#include <batching_vertex>
	#include <beginnormal_vertex>
	#include <morphinstance_vertex>
	#include <morphnormal_vertex>
	#include <skinbase_vertex>
	#include <skinnormal_vertex>
	#include <defaultnormal_vertex>
	#include <begin_vertex>
	#include <morphtarget_vertex>
	#include <skinning_vertex>
	#include <project_vertex>
	#include <logdepthbuf_vertex>
	#include <worldpos_vertex>
	#include <shadowmap_vertex>
	#include <fog_vertex>
}`,Vv=`uniform vec3 color;
uniform float opacity;
#include <common>
#include <fog_pars_fragment>
#include <bsdfs>
#include <lights_pars_begin>
#include <logdepthbuf_pars_fragment>
#include <shadowmap_pars_fragment>
#include <shadowmask_pars_fragment>
void main() {
	#include <logdepthbuf_fragment>
	gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
	#include <premultiplied_alpha_fragment>
}`,Gv=`uniform float rotation;
uniform vec2 center;
#include <common>
#include <uv_pars_vertex>
#include <fog_pars_vertex>
#include <logdepthbuf_pars_vertex>
#include <clipping_planes_pars_vertex>
void main() {
	#include <uv_vertex>
	vec4 mvPosition = modelViewMatrix[ 3 ];
	vec2 scale = vec2( length( modelMatrix[ 0 ].xyz ), length( modelMatrix[ 1 ].xyz ) );
	#ifndef USE_SIZEATTENUATION
		bool isPerspective = isPerspectiveMatrix( projectionMatrix );
		if ( isPerspective ) scale *= - mvPosition.z;
	#endif
	vec2 alignedPosition = ( position.xy - ( center - vec2( 0.5 ) ) ) * scale;
	vec2 rotatedPosition;
	rotatedPosition.x = cos( rotation ) * alignedPosition.x - sin( rotation ) * alignedPosition.y;
	rotatedPosition.y = sin( rotation ) * alignedPosition.x + cos( rotation ) * alignedPosition.y;
	mvPosition.xy += rotatedPosition;
	gl_Position = projectionMatrix * mvPosition;
	#include <logdepthbuf_vertex>
	#include <clipping_planes_vertex>
	#include <fog_vertex>
}`,Hv=`uniform vec3 diffuse;
uniform float opacity;
#include <common>
#include <uv_pars_fragment>
#include <map_pars_fragment>
#include <alphamap_pars_fragment>
#include <alphatest_pars_fragment>
#include <alphahash_pars_fragment>
#include <fog_pars_fragment>
#include <logdepthbuf_pars_fragment>
#include <clipping_planes_pars_fragment>
void main() {
	vec4 diffuseColor = vec4( diffuse, opacity );
	#include <clipping_planes_fragment>
	vec3 outgoingLight = vec3( 0.0 );
	#include <logdepthbuf_fragment>
	#include <map_fragment>
	#include <alphamap_fragment>
	#include <alphatest_fragment>
	#include <alphahash_fragment>
	outgoingLight = diffuseColor.rgb;
	#include <opaque_fragment>
	#include <tonemapping_fragment>
	#include <colorspace_fragment>
	#include <fog_fragment>
}`,ht={alphahash_fragment:ux,alphahash_pars_fragment:dx,alphamap_fragment:fx,alphamap_pars_fragment:px,alphatest_fragment:mx,alphatest_pars_fragment:gx,aomap_fragment:_x,aomap_pars_fragment:yx,batching_pars_vertex:xx,batching_vertex:vx,begin_vertex:bx,beginnormal_vertex:Sx,bsdfs:Mx,iridescence_fragment:wx,bumpmap_pars_fragment:Ex,clipping_planes_fragment:Tx,clipping_planes_pars_fragment:Ax,clipping_planes_pars_vertex:Rx,clipping_planes_vertex:Cx,color_fragment:Px,color_pars_fragment:Ix,color_pars_vertex:Lx,color_vertex:Dx,common:Nx,defaultnormal_vertex:Fx,displacementmap_pars_vertex:Ux,displacementmap_vertex:Ox,emissivemap_fragment:kx,emissivemap_pars_fragment:Bx,colorspace_fragment:zx,colorspace_pars_fragment:Vx,envmap_fragment:Gx,envmap_common_pars_fragment:Hx,envmap_pars_fragment:Wx,envmap_pars_vertex:Xx,envmap_physical_pars_fragment:n3,envmap_vertex:qx,fog_vertex:$x,fog_pars_vertex:Yx,fog_fragment:Zx,fog_pars_fragment:Kx,gradientmap_pars_fragment:Jx,lightmap_pars_fragment:jx,lights_lambert_fragment:Qx,lights_lambert_pars_fragment:e3,lights_pars_begin:t3,lights_toon_fragment:i3,lights_toon_pars_fragment:s3,lights_phong_fragment:r3,lights_phong_pars_fragment:o3,lights_physical_fragment:a3,lights_physical_pars_fragment:l3,lights_fragment_begin:c3,lights_fragment_maps:h3,lights_fragment_end:u3,lightprobes_pars_fragment:d3,logdepthbuf_fragment:f3,logdepthbuf_pars_fragment:p3,logdepthbuf_pars_vertex:m3,logdepthbuf_vertex:g3,map_fragment:_3,map_pars_fragment:y3,map_particle_fragment:x3,map_particle_pars_fragment:v3,metalnessmap_fragment:b3,metalnessmap_pars_fragment:S3,morphinstance_vertex:M3,morphcolor_vertex:w3,morphnormal_vertex:E3,morphtarget_pars_vertex:T3,morphtarget_vertex:A3,normal_fragment_begin:R3,normal_fragment_maps:C3,normal_pars_fragment:P3,normal_pars_vertex:I3,normal_vertex:L3,normalmap_pars_fragment:D3,clearcoat_normal_fragment_begin:N3,clearcoat_normal_fragment_maps:F3,clearcoat_pars_fragment:U3,iridescence_pars_fragment:O3,opaque_fragment:k3,packing:B3,premultiplied_alpha_fragment:z3,project_vertex:V3,dithering_fragment:G3,dithering_pars_fragment:H3,roughnessmap_fragment:W3,roughnessmap_pars_fragment:X3,shadowmap_pars_fragment:q3,shadowmap_pars_vertex:$3,shadowmap_vertex:Y3,shadowmask_pars_fragment:Z3,skinbase_vertex:K3,skinning_pars_vertex:J3,skinning_vertex:j3,skinnormal_vertex:Q3,specularmap_fragment:ev,specularmap_pars_fragment:tv,tonemapping_fragment:nv,tonemapping_pars_fragment:iv,transmission_fragment:sv,transmission_pars_fragment:rv,uv_pars_fragment:ov,uv_pars_vertex:av,uv_vertex:lv,worldpos_vertex:cv,background_vert:hv,background_frag:uv,backgroundCube_vert:dv,backgroundCube_frag:fv,cube_vert:pv,cube_frag:mv,depth_vert:gv,depth_frag:_v,distance_vert:yv,distance_frag:xv,equirect_vert:vv,equirect_frag:bv,linedashed_vert:Sv,linedashed_frag:Mv,meshbasic_vert:wv,meshbasic_frag:Ev,meshlambert_vert:Tv,meshlambert_frag:Av,meshmatcap_vert:Rv,meshmatcap_frag:Cv,meshnormal_vert:Pv,meshnormal_frag:Iv,meshphong_vert:Lv,meshphong_frag:Dv,meshphysical_vert:Nv,meshphysical_frag:Fv,meshtoon_vert:Uv,meshtoon_frag:Ov,points_vert:kv,points_frag:Bv,shadow_vert:zv,shadow_frag:Vv,sprite_vert:Gv,sprite_frag:Hv},Pe={common:{diffuse:{value:new Je(16777215)},opacity:{value:1},map:{value:null},mapTransform:{value:new tt},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0}},specularmap:{specularMap:{value:null},specularMapTransform:{value:new tt}},envmap:{envMap:{value:null},envMapRotation:{value:new tt},reflectivity:{value:1},ior:{value:1.5},refractionRatio:{value:.98},dfgLUT:{value:null}},aomap:{aoMap:{value:null},aoMapIntensity:{value:1},aoMapTransform:{value:new tt}},lightmap:{lightMap:{value:null},lightMapIntensity:{value:1},lightMapTransform:{value:new tt}},bumpmap:{bumpMap:{value:null},bumpMapTransform:{value:new tt},bumpScale:{value:1}},normalmap:{normalMap:{value:null},normalMapTransform:{value:new tt},normalScale:{value:new et(1,1)}},displacementmap:{displacementMap:{value:null},displacementMapTransform:{value:new tt},displacementScale:{value:1},displacementBias:{value:0}},emissivemap:{emissiveMap:{value:null},emissiveMapTransform:{value:new tt}},metalnessmap:{metalnessMap:{value:null},metalnessMapTransform:{value:new tt}},roughnessmap:{roughnessMap:{value:null},roughnessMapTransform:{value:new tt}},gradientmap:{gradientMap:{value:null}},fog:{fogDensity:{value:25e-5},fogNear:{value:1},fogFar:{value:2e3},fogColor:{value:new Je(16777215)}},lights:{ambientLightColor:{value:[]},lightProbe:{value:[]},sunLights:{value:[],properties:{direction:{},color:{}}},sunLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},sunShadowMatrix:{value:[]},sunShadowCascade:{value:[]},directionalLights:{value:[],properties:{direction:{},color:{}}},directionalLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},directionalShadowMatrix:{value:[]},spotLights:{value:[],properties:{color:{},position:{},direction:{},distance:{},coneCos:{},penumbraCos:{},decay:{}}},spotLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{}}},spotLightMap:{value:[]},spotLightMatrix:{value:[]},pointLights:{value:[],properties:{color:{},position:{},decay:{},distance:{}}},pointLightShadows:{value:[],properties:{shadowIntensity:1,shadowBias:{},shadowNormalBias:{},shadowRadius:{},shadowMapSize:{},shadowCameraNear:{},shadowCameraFar:{}}},pointShadowMatrix:{value:[]},hemisphereLights:{value:[],properties:{direction:{},skyColor:{},groundColor:{}}},rectAreaLights:{value:[],properties:{color:{},position:{},width:{},height:{}}},ltc_1:{value:null},ltc_2:{value:null},probesSH:{value:[]},probesMin:{value:[]},probesMax:{value:[]},probesResolution:{value:[]}},points:{diffuse:{value:new Je(16777215)},opacity:{value:1},size:{value:1},scale:{value:1},map:{value:null},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0},uvTransform:{value:new tt}},sprite:{diffuse:{value:new Je(16777215)},opacity:{value:1},center:{value:new et(.5,.5)},rotation:{value:0},map:{value:null},mapTransform:{value:new tt},alphaMap:{value:null},alphaMapTransform:{value:new tt},alphaTest:{value:0}}},ti={basic:{uniforms:Gn([Pe.common,Pe.specularmap,Pe.envmap,Pe.aomap,Pe.lightmap,Pe.fog]),vertexShader:ht.meshbasic_vert,fragmentShader:ht.meshbasic_frag},lambert:{uniforms:Gn([Pe.common,Pe.specularmap,Pe.envmap,Pe.aomap,Pe.lightmap,Pe.emissivemap,Pe.bumpmap,Pe.normalmap,Pe.displacementmap,Pe.fog,Pe.lights,{emissive:{value:new Je(0)},envMapIntensity:{value:1}}]),vertexShader:ht.meshlambert_vert,fragmentShader:ht.meshlambert_frag},phong:{uniforms:Gn([Pe.common,Pe.specularmap,Pe.envmap,Pe.aomap,Pe.lightmap,Pe.emissivemap,Pe.bumpmap,Pe.normalmap,Pe.displacementmap,Pe.fog,Pe.lights,{emissive:{value:new Je(0)},specular:{value:new Je(1118481)},shininess:{value:30},envMapIntensity:{value:1}}]),vertexShader:ht.meshphong_vert,fragmentShader:ht.meshphong_frag},standard:{uniforms:Gn([Pe.common,Pe.envmap,Pe.aomap,Pe.lightmap,Pe.emissivemap,Pe.bumpmap,Pe.normalmap,Pe.displacementmap,Pe.roughnessmap,Pe.metalnessmap,Pe.fog,Pe.lights,{emissive:{value:new Je(0)},roughness:{value:1},metalness:{value:0},envMapIntensity:{value:1}}]),vertexShader:ht.meshphysical_vert,fragmentShader:ht.meshphysical_frag},toon:{uniforms:Gn([Pe.common,Pe.aomap,Pe.lightmap,Pe.emissivemap,Pe.bumpmap,Pe.normalmap,Pe.displacementmap,Pe.gradientmap,Pe.fog,Pe.lights,{emissive:{value:new Je(0)}}]),vertexShader:ht.meshtoon_vert,fragmentShader:ht.meshtoon_frag},matcap:{uniforms:Gn([Pe.common,Pe.bumpmap,Pe.normalmap,Pe.displacementmap,Pe.fog,{matcap:{value:null}}]),vertexShader:ht.meshmatcap_vert,fragmentShader:ht.meshmatcap_frag},points:{uniforms:Gn([Pe.points,Pe.fog]),vertexShader:ht.points_vert,fragmentShader:ht.points_frag},dashed:{uniforms:Gn([Pe.common,Pe.fog,{scale:{value:1},dashSize:{value:1},totalSize:{value:2}}]),vertexShader:ht.linedashed_vert,fragmentShader:ht.linedashed_frag},depth:{uniforms:Gn([Pe.common,Pe.displacementmap]),vertexShader:ht.depth_vert,fragmentShader:ht.depth_frag},normal:{uniforms:Gn([Pe.common,Pe.bumpmap,Pe.normalmap,Pe.displacementmap,{opacity:{value:1}}]),vertexShader:ht.meshnormal_vert,fragmentShader:ht.meshnormal_frag},sprite:{uniforms:Gn([Pe.sprite,Pe.fog]),vertexShader:ht.sprite_vert,fragmentShader:ht.sprite_frag},background:{uniforms:{uvTransform:{value:new tt},t2D:{value:null},backgroundIntensity:{value:1}},vertexShader:ht.background_vert,fragmentShader:ht.background_frag},backgroundCube:{uniforms:{envMap:{value:null},backgroundBlurriness:{value:0},backgroundIntensity:{value:1},backgroundRotation:{value:new tt}},vertexShader:ht.backgroundCube_vert,fragmentShader:ht.backgroundCube_frag},cube:{uniforms:{tCube:{value:null},tFlip:{value:-1},opacity:{value:1}},vertexShader:ht.cube_vert,fragmentShader:ht.cube_frag},equirect:{uniforms:{tEquirect:{value:null}},vertexShader:ht.equirect_vert,fragmentShader:ht.equirect_frag},distance:{uniforms:Gn([Pe.common,Pe.displacementmap,{referencePosition:{value:new V},nearDistance:{value:1},farDistance:{value:1e3}}]),vertexShader:ht.distance_vert,fragmentShader:ht.distance_frag},shadow:{uniforms:Gn([Pe.lights,Pe.fog,{color:{value:new Je(0)},opacity:{value:1}}]),vertexShader:ht.shadow_vert,fragmentShader:ht.shadow_frag}};ti.physical={uniforms:Gn([ti.standard.uniforms,{clearcoat:{value:0},clearcoatMap:{value:null},clearcoatMapTransform:{value:new tt},clearcoatNormalMap:{value:null},clearcoatNormalMapTransform:{value:new tt},clearcoatNormalScale:{value:new et(1,1)},clearcoatRoughness:{value:0},clearcoatRoughnessMap:{value:null},clearcoatRoughnessMapTransform:{value:new tt},diffuseRoughness:{value:0},diffuseRoughnessMap:{value:null},diffuseRoughnessMapTransform:{value:new tt},dispersion:{value:0},retroreflectivity:{value:0},iridescence:{value:0},iridescenceMap:{value:null},iridescenceMapTransform:{value:new tt},iridescenceIOR:{value:1.3},iridescenceThicknessMinimum:{value:100},iridescenceThicknessMaximum:{value:400},iridescenceThicknessMap:{value:null},iridescenceThicknessMapTransform:{value:new tt},sheen:{value:0},sheenColor:{value:new Je(0)},sheenColorMap:{value:null},sheenColorMapTransform:{value:new tt},sheenRoughness:{value:1},sheenRoughnessMap:{value:null},sheenRoughnessMapTransform:{value:new tt},transmission:{value:0},transmissionMap:{value:null},transmissionMapTransform:{value:new tt},transmissionSamplerSize:{value:new et},transmissionSamplerMap:{value:null},thickness:{value:0},thicknessMap:{value:null},thicknessMapTransform:{value:new tt},attenuationDistance:{value:0},attenuationColor:{value:new Je(0)},specularColor:{value:new Je(1,1,1)},specularColorMap:{value:null},specularColorMapTransform:{value:new tt},specularIntensity:{value:1},specularIntensityMap:{value:null},specularIntensityMapTransform:{value:new tt},anisotropyVector:{value:new et},anisotropyMap:{value:null},anisotropyMapTransform:{value:new tt}}]),vertexShader:ht.meshphysical_vert,fragmentShader:ht.meshphysical_frag};var kh={r:0,b:0,g:0},Wv=new Bt,V1=new tt;V1.set(-1,0,0,0,1,0,0,0,1);function Xv(i,e,t,n,s,r){let o=new Je(0),a=s===!0?0:1,l,c,h=null,u=0,d=null;function f(b){let A=b.isScene===!0?b.background:null;if(A&&A.isTexture){let w=b.backgroundBlurriness>0;A=e.get(A,w)}return A}function m(b){let A=!1,w=f(b);w===null?g(o,a):w&&w.isColor&&(g(w,1),A=!0);let P=i.xr.getEnvironmentBlendMode();P==="additive"?t.buffers.color.setClear(0,0,0,1,r):P==="alpha-blend"&&t.buffers.color.setClear(0,0,0,0,r),(i.autoClear||A)&&(t.buffers.depth.setTest(!0),t.buffers.depth.setMask(!0),t.buffers.color.setMask(!0),i.clear(i.autoClearColor,i.autoClearDepth,i.autoClearStencil))}function x(b,A){let w=f(A);w&&w.isCubeTexture?(c===void 0&&(c=new si(new Ao(1,1,1),new Vn({name:"BackgroundCubeMaterial",uniforms:Rr(ti.backgroundCube.uniforms),vertexShader:ti.backgroundCube.vertexShader,fragmentShader:ti.backgroundCube.fragmentShader,side:ei,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),c.geometry.deleteAttribute("normal"),c.geometry.deleteAttribute("uv"),c.onBeforeRender=function(P,T,y){this.matrixWorld.copyPosition(y.matrixWorld)},Object.defineProperty(c.material,"envMap",{get:function(){return this.uniforms.envMap.value}}),n.update(c)),c.material.uniforms.envMap.value=w,c.material.uniforms.backgroundBlurriness.value=A.backgroundBlurriness,c.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,c.material.uniforms.backgroundRotation.value.setFromMatrix4(Wv.makeRotationFromEuler(A.backgroundRotation)).transpose(),w.isRenderTargetTexture===!1&&c.material.uniforms.backgroundRotation.value.premultiply(V1),c.material.toneMapped=pt.getTransfer(w.colorSpace)!==Rt,(h!==w||u!==w.version||d!==i.toneMapping)&&(c.material.needsUpdate=!0,h=w,u=w.version,d=i.toneMapping),c.layers.enableAll(),b.unshift(c,c.geometry,c.material,0,0,null)):w&&w.isTexture&&(l===void 0&&(l=new si(new Ca(2,2),new Vn({name:"BackgroundMaterial",uniforms:Rr(ti.background.uniforms),vertexShader:ti.background.vertexShader,fragmentShader:ti.background.fragmentShader,side:Qs,depthTest:!1,depthWrite:!1,fog:!1,allowOverride:!1})),l.geometry.deleteAttribute("normal"),Object.defineProperty(l.material,"map",{get:function(){return this.uniforms.t2D.value}}),n.update(l)),l.material.uniforms.t2D.value=w,l.material.uniforms.backgroundIntensity.value=A.backgroundIntensity,l.material.toneMapped=pt.getTransfer(w.colorSpace)!==Rt,w.matrixAutoUpdate===!0&&w.updateMatrix(),l.material.uniforms.uvTransform.value.copy(w.matrix),(h!==w||u!==w.version||d!==i.toneMapping)&&(l.material.needsUpdate=!0,h=w,u=w.version,d=i.toneMapping),l.layers.enableAll(),b.unshift(l,l.geometry,l.material,0,0,null))}function g(b,A){b.getRGB(kh,xf(i)),t.buffers.color.setClear(kh.r,kh.g,kh.b,A,r)}function p(){c!==void 0&&(c.geometry.dispose(),c.material.dispose(),c=void 0),l!==void 0&&(l.geometry.dispose(),l.material.dispose(),l=void 0)}return{getClearColor:function(){return o},setClearColor:function(b,A=1){o.set(b),a=A,g(o,a)},getClearAlpha:function(){return a},setClearAlpha:function(b){a=b,g(o,a)},render:m,addToRenderList:x,dispose:p}}function qv(i,e){let t=i.getParameter(i.MAX_VERTEX_ATTRIBS),n={},s=d(null),r=s,o=!1;function a(L,H,W,D,G){let K=!1,B=u(L,D,W,H);r!==B&&(r=B,c(r.object)),K=f(L,D,W,G),K&&m(L,D,W,G),G!==null&&e.update(G,i.ELEMENT_ARRAY_BUFFER),(K||o)&&(o=!1,w(L,H,W,D),G!==null&&i.bindBuffer(i.ELEMENT_ARRAY_BUFFER,e.get(G).buffer))}function l(){return i.createVertexArray()}function c(L){return i.bindVertexArray(L)}function h(L){return i.deleteVertexArray(L)}function u(L,H,W,D){let G=D.wireframe===!0,K=n[H.id];K===void 0&&(K={},n[H.id]=K);let B=L.isInstancedMesh===!0?L.id:0,ce=K[B];ce===void 0&&(ce={},K[B]=ce);let J=ce[W.id];J===void 0&&(J={},ce[W.id]=J);let Q=J[G];return Q===void 0&&(Q=d(l()),J[G]=Q),Q}function d(L){let H=[],W=[],D=[];for(let G=0;G<t;G++)H[G]=0,W[G]=0,D[G]=0;return{geometry:null,program:null,wireframe:!1,newAttributes:H,enabledAttributes:W,attributeDivisors:D,object:L,attributes:{},index:null}}function f(L,H,W,D){let G=r.attributes,K=H.attributes,B=0,ce=W.getAttributes();for(let J in ce)if(ce[J].location>=0){let se=G[J],de=K[J];if(de===void 0&&(J==="instanceMatrix"&&L.instanceMatrix&&(de=L.instanceMatrix),J==="instanceColor"&&L.instanceColor&&(de=L.instanceColor)),se===void 0||se.attribute!==de||de&&se.data!==de.data)return!0;B++}return r.attributesNum!==B||r.index!==D}function m(L,H,W,D){let G={},K=H.attributes,B=0,ce=W.getAttributes();for(let J in ce)if(ce[J].location>=0){let se=K[J];se===void 0&&(J==="instanceMatrix"&&L.instanceMatrix&&(se=L.instanceMatrix),J==="instanceColor"&&L.instanceColor&&(se=L.instanceColor));let de={};de.attribute=se,se&&se.data&&(de.data=se.data),G[J]=de,B++}r.attributes=G,r.attributesNum=B,r.index=D}function x(){let L=r.newAttributes;for(let H=0,W=L.length;H<W;H++)L[H]=0}function g(L){p(L,0)}function p(L,H){let W=r.newAttributes,D=r.enabledAttributes,G=r.attributeDivisors;W[L]=1,D[L]===0&&(i.enableVertexAttribArray(L),D[L]=1),G[L]!==H&&(i.vertexAttribDivisor(L,H),G[L]=H)}function b(){let L=r.newAttributes,H=r.enabledAttributes;for(let W=0,D=H.length;W<D;W++)H[W]!==L[W]&&(i.disableVertexAttribArray(W),H[W]=0)}function A(L,H,W,D,G,K,B){B===!0?i.vertexAttribIPointer(L,H,W,G,K):i.vertexAttribPointer(L,H,W,D,G,K)}function w(L,H,W,D){x();let G=D.attributes,K=W.getAttributes(),B=H.defaultAttributeValues;for(let ce in K){let J=K[ce];if(J.location>=0){let Q=G[ce];if(Q===void 0&&(ce==="instanceMatrix"&&L.instanceMatrix&&(Q=L.instanceMatrix),ce==="instanceColor"&&L.instanceColor&&(Q=L.instanceColor)),Q!==void 0){let se=Q.normalized,de=Q.itemSize,ue=e.get(Q);if(ue===void 0)continue;let ee=ue.buffer,me=ue.type,ye=ue.bytesPerElement,Ae=me===i.INT||me===i.UNSIGNED_INT||Q.gpuType===eh;if(Q.isInterleavedBufferAttribute){let Se=Q.data,He=Se.isInterleavedBuffer===!0?Se.stride:Se.itemSize,st=Q.offset;if(Se.isInstancedInterleavedBuffer||Se.isInstancedBufferAttribute){for(let Ve=0;Ve<J.locationSize;Ve++)p(J.location+Ve,Se.meshPerAttribute);L.isInstancedMesh!==!0&&D._maxInstanceCount===void 0&&(D._maxInstanceCount=Se.meshPerAttribute*Se.count)}else for(let Ve=0;Ve<J.locationSize;Ve++)g(J.location+Ve);i.bindBuffer(i.ARRAY_BUFFER,ee);for(let Ve=0;Ve<J.locationSize;Ve++)A(J.location+Ve,de/J.locationSize,me,se,He*ye,(st+de/J.locationSize*Ve)*ye,Ae)}else{if(Q.isInstancedBufferAttribute){for(let Se=0;Se<J.locationSize;Se++)p(J.location+Se,Q.meshPerAttribute);L.isInstancedMesh!==!0&&D._maxInstanceCount===void 0&&(D._maxInstanceCount=Q.meshPerAttribute*Q.count)}else for(let Se=0;Se<J.locationSize;Se++)g(J.location+Se);i.bindBuffer(i.ARRAY_BUFFER,ee);for(let Se=0;Se<J.locationSize;Se++)A(J.location+Se,de/J.locationSize,me,se,de*ye,de/J.locationSize*Se*ye,Ae)}}else if(B!==void 0){let se=B[ce];if(se!==void 0)switch(se.length){case 2:i.vertexAttrib2fv(J.location,se);break;case 3:i.vertexAttrib3fv(J.location,se);break;case 4:i.vertexAttrib4fv(J.location,se);break;default:i.vertexAttrib1fv(J.location,se)}}}}b()}function P(){z();for(let L in n){let H=n[L];for(let W in H){let D=H[W];for(let G in D){let K=D[G];for(let B in K)h(K[B].object),delete K[B];delete D[G]}}delete n[L]}}function T(L){if(n[L.id]===void 0)return;let H=n[L.id];for(let W in H){let D=H[W];for(let G in D){let K=D[G];for(let B in K)h(K[B].object),delete K[B];delete D[G]}}delete n[L.id]}function y(L){for(let H in n){let W=n[H];for(let D in W){let G=W[D];if(G[L.id]===void 0)continue;let K=G[L.id];for(let B in K)h(K[B].object),delete K[B];delete G[L.id]}}}function E(L){for(let H in n){let W=n[H],D=L.isInstancedMesh===!0?L.id:0,G=W[D];if(G!==void 0){for(let K in G){let B=G[K];for(let ce in B)h(B[ce].object),delete B[ce];delete G[K]}delete W[D],Object.keys(W).length===0&&delete n[H]}}}function z(){N(),o=!0,r!==s&&(r=s,c(r.object))}function N(){s.geometry=null,s.program=null,s.wireframe=!1}return{setup:a,reset:z,resetDefaultState:N,dispose:P,releaseStatesOfGeometry:T,releaseStatesOfObject:E,releaseStatesOfProgram:y,initAttributes:x,enableAttribute:g,disableUnusedAttributes:b}}function $v(i,e,t){let n;function s(l){n=l}function r(l,c){i.drawArrays(n,l,c),t.update(c,n,1)}function o(l,c,h){h!==0&&(i.drawArraysInstanced(n,l,c,h),t.update(c,n,h))}function a(l,c,h){if(h===0)return;e.get("WEBGL_multi_draw").multiDrawArraysWEBGL(n,l,0,c,0,h);let d=0;for(let f=0;f<h;f++)d+=c[f];t.update(d,n,1)}this.setMode=s,this.render=r,this.renderInstances=o,this.renderMultiDraw=a}function Yv(i,e,t,n){let s;function r(){if(s!==void 0)return s;if(e.has("EXT_texture_filter_anisotropic")===!0){let y=e.get("EXT_texture_filter_anisotropic");s=i.getParameter(y.MAX_TEXTURE_MAX_ANISOTROPY_EXT)}else s=0;return s}function o(y){return!(y!==Hi&&n.convert(y)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_FORMAT))}function a(y){let E=y===Gi&&(e.has("EXT_color_buffer_half_float")||e.has("EXT_color_buffer_float"));return!(y!==bi&&y!==Vi&&!E&&n.convert(y)!==i.getParameter(i.IMPLEMENTATION_COLOR_READ_TYPE))}function l(y){if(y==="highp"){if(i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.HIGH_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.HIGH_FLOAT).precision>0)return"highp";y="mediump"}return y==="mediump"&&i.getShaderPrecisionFormat(i.VERTEX_SHADER,i.MEDIUM_FLOAT).precision>0&&i.getShaderPrecisionFormat(i.FRAGMENT_SHADER,i.MEDIUM_FLOAT).precision>0?"mediump":"lowp"}let c=t.precision!==void 0?t.precision:"highp",h=l(c);h!==c&&(qe("WebGLRenderer:",c,"not supported, using",h,"instead."),c=h);let u=t.reversedDepthBuffer===!0&&e.has("EXT_clip_control"),d=t.logarithmicDepthBuffer===!0&&u===!1;t.reversedDepthBuffer===!0&&u===!1&&qe("WebGLRenderer: Unable to use reversed depth buffer due to missing EXT_clip_control extension. Fallback to default depth buffer."),t.logarithmicDepthBuffer===!0&&u===!0&&qe("WebGLRenderer: Logarithmic depth buffer is ignored when reversed depth buffer is enabled.");let f=i.getParameter(i.MAX_TEXTURE_IMAGE_UNITS),m=i.getParameter(i.MAX_VERTEX_TEXTURE_IMAGE_UNITS),x=i.getParameter(i.MAX_TEXTURE_SIZE),g=i.getParameter(i.MAX_CUBE_MAP_TEXTURE_SIZE),p=i.getParameter(i.MAX_VERTEX_ATTRIBS),b=i.getParameter(i.MAX_VERTEX_UNIFORM_VECTORS),A=i.getParameter(i.MAX_VARYING_VECTORS),w=i.getParameter(i.MAX_FRAGMENT_UNIFORM_VECTORS),P=i.getParameter(i.MAX_SAMPLES),T=i.getParameter(i.SAMPLES);return{isWebGL2:!0,getMaxAnisotropy:r,getMaxPrecision:l,textureFormatReadable:o,textureTypeReadable:a,precision:c,logarithmicDepthBuffer:d,reversedDepthBuffer:u,maxTextures:f,maxVertexTextures:m,maxTextureSize:x,maxCubemapSize:g,maxAttributes:p,maxVertexUniforms:b,maxVaryings:A,maxFragmentUniforms:w,maxSamples:P,samples:T}}function Zv(i){let e=this,t=null,n=0,s=!1,r=!1,o=new gi,a=new tt,l={value:null,needsUpdate:!1};this.uniform=l,this.numPlanes=0,this.numIntersection=0,this.init=function(u,d){let f=u.length!==0||d||n!==0||s;return s=d,n=u.length,f},this.beginShadows=function(){r=!0,h(null)},this.endShadows=function(){r=!1},this.setGlobalState=function(u,d){t=h(u,d,0)},this.setState=function(u,d,f){let m=u.clippingPlanes,x=u.clipIntersection,g=u.clipShadows,p=i.get(u);if(!s||m===null||m.length===0||r&&!g)r?h(null):c();else{let b=r?0:n,A=b*4,w=p.clippingState||null;l.value=w,w=h(m,d,A,f);for(let P=0;P!==A;++P)w[P]=t[P];p.clippingState=w,this.numIntersection=x?this.numPlanes:0,this.numPlanes+=b}};function c(){l.value!==t&&(l.value=t,l.needsUpdate=n>0),e.numPlanes=n,e.numIntersection=0}function h(u,d,f,m){let x=u!==null?u.length:0,g=null;if(x!==0){if(g=l.value,m!==!0||g===null){let p=f+x*4,b=d.matrixWorldInverse;a.getNormalMatrix(b),(g===null||g.length<p)&&(g=new Float32Array(p));for(let A=0,w=f;A!==x;++A,w+=4)o.copy(u[A]).applyMatrix4(b,a),o.normal.toArray(g,w),g[w+3]=o.constant}l.value=g,l.needsUpdate=!0}return e.numPlanes=x,e.numIntersection=0,g}}var Za=class extends yi{constructor(e=1,t={}){super(e,e,t),this.isWebGLCubeRenderTarget=!0;let n={width:e,height:e,depth:1},s=[n,n,n,n,n,n];this.texture=new Ea(s),this._setTextureOptions(t),this.texture.isRenderTargetTexture=!0}fromEquirectangularTexture(e,t){this.texture.type=t.type,this.texture.colorSpace=t.colorSpace,this.texture.generateMipmaps=t.generateMipmaps,this.texture.minFilter=t.minFilter,this.texture.magFilter=t.magFilter;let n={uniforms:{tEquirect:{value:null}},vertexShader:`

				varying vec3 vWorldDirection;

				vec3 transformDirection( in vec3 dir, in mat4 matrix ) {

					return normalize( ( matrix * vec4( dir, 0.0 ) ).xyz );

				}

				void main() {

					vWorldDirection = transformDirection( position, modelMatrix );

					#include <begin_vertex>
					#include <project_vertex>

				}
			`,fragmentShader:`

				uniform sampler2D tEquirect;

				varying vec3 vWorldDirection;

				#include <common>

				void main() {

					vec3 direction = normalize( vWorldDirection );

					vec2 sampleUV = equirectUv( direction );

					gl_FragColor = texture2D( tEquirect, sampleUV );

				}
			`},s=new Ao(5,5,5),r=new Vn({name:"CubemapFromEquirect",uniforms:Rr(n.uniforms),vertexShader:n.vertexShader,fragmentShader:n.fragmentShader,side:ei,blending:wr});r.uniforms.tEquirect.value=t;let o=new si(s,r),a=t.minFilter;return t.minFilter===Ts&&(t.minFilter=jn),new Ro(1,10,this).update(e,o),t.minFilter=a,o.geometry.dispose(),o.material.dispose(),this}clear(e,t=!0,n=!0,s=!0){let r=e.getRenderTarget();for(let o=0;o<6;o++)e.setRenderTarget(this,o),e.clear(t,n,s);e.setRenderTarget(r)}},x1=256,Kv=3,Jv=20,G1=256,H1=16,jv=3,Qv=new V,eb=new Je,zh=class i{constructor(e){this._renderer=e,this._cubeSize=0,this._sourceTarget=null,this._cubeCamera=new Ro(1,10,null),this._boxMesh=new si(new Ao(5,5,5),null),this._cubemapMaterial=null,this._equirectMaterial=null,this._blurMaterial=null,this._ggxMaterial=null,this._integrationMaterial=null}fromScene(e,t=0,n=.1,s=100,r={}){let{size:o=256,position:a=Qv}=r,l=this._renderer;this._setSize(o);let c=this._allocateTarget(),h=this._getSourceTarget(!0);t>0&&(h.texture.mipmapsAutoUpdate=!1);let u=l.autoClear,d=l.autoClearColor,f=l.autoClearDepth,m=l.autoClearStencil,x=e.background;l.autoClear=!0,l.autoClearColor=!0,l.autoClearDepth=!0,l.autoClearStencil=!0,x===null&&(e.background=l.getClearColor(eb));let g=new Ro(n,s,h);return g.position.copy(a),g.update(l,e),l.autoClear=u,l.autoClearColor=d,l.autoClearDepth=f,l.autoClearStencil=m,e.background=x,t>0&&(h.texture.mipmapsAutoUpdate=!0,this._blur(c,t)),this._applyPMREM(c),c}fromEquirectangular(e,t=null){return this._fromTexture(e,t)}fromCubemap(e,t=null){return this._fromTexture(e,t)}compileCubemapShader(){this._cubemapMaterial===null&&(this._cubemapMaterial=S1(),this._compileMaterial(this._cubemapMaterial))}compileEquirectangularShader(){this._equirectMaterial===null&&(this._equirectMaterial=b1(),this._compileMaterial(this._equirectMaterial))}dispose(){this._sourceTarget!==null&&this._sourceTarget.dispose(),this._cubemapMaterial!==null&&this._cubemapMaterial.dispose(),this._equirectMaterial!==null&&this._equirectMaterial.dispose(),this._blurMaterial!==null&&this._blurMaterial.dispose(),this._ggxMaterial!==null&&this._ggxMaterial.dispose(),this._integrationMaterial!==null&&this._integrationMaterial.dispose(),this._boxMesh.geometry.dispose()}static lodToRoughness(e,t){return t>0?1-Math.sqrt(1-e/t):0}_setSize(e){this._cubeSize=Math.max(x1,gf(e))}_fromTexture(e,t){e.mapping===Tr||e.mapping===Lo?this._setSize(e.image.length===0?x1:e.image[0].width||e.image[0].image.width):this._setSize(e.image.width/4);let n=t||this._allocateTarget();return this._textureToCubemap(e),this._applyPMREM(n),n}_allocateTarget(){let e=this._cubeSize,t=v1(e,!1,!1),n=Math.log2(e)-Kv;for(let s=0;s<=n;s++)t.texture.mipmaps.push({width:e>>s,height:e>>s});return t.texture.name="PMREM",t.texture.isPMREMTexture=!0,t}_getSourceTarget(e=!1){let t=this._cubeSize,n=this._sourceTarget;return(n===null||n.width!==t||e&&n.depthBuffer===!1)&&(n!==null&&n.dispose(),this._sourceTarget=v1(t,!0,e)),this._sourceTarget}_compileMaterial(e){this._boxMesh.material=e,this._renderer.compile(this._boxMesh,this._cubeCamera.children[0])}_renderCube(e,t,n){let s=this._boxMesh,r=this._cubeCamera;s.material=n,r.renderTarget=e,r.activeMipmapLevel=t;let o=e.width>>t;e.viewport.set(0,0,o,o),r.update(this._renderer,s),e.viewport.set(0,0,e.width,e.height)}_textureToCubemap(e){let t;e.mapping===Tr||e.mapping===Lo?(this._cubemapMaterial===null&&(this._cubemapMaterial=S1()),t=this._cubemapMaterial,t.uniforms.flipEnvMap.value=e.isRenderTargetTexture===!1?-1:1):(this._equirectMaterial===null&&(this._equirectMaterial=b1()),t=this._equirectMaterial),t.uniforms.envMap.value=e,this._renderCube(this._getSourceTarget(),0,t)}_applyPMREM(e){this._ggxMaterial===null&&(this._ggxMaterial=tb(),this._integrationMaterial=nb());let t=this._cubeSize,n=e.texture.mipmaps.length-1,s=this._ggxMaterial.uniforms;s.envMap.value=this._sourceTarget.texture;let r=this._integrationMaterial.uniforms;r.envMap.value=this._sourceTarget.texture,r.sourceLod.value=Math.log2(t/H1);for(let o=0;o<=n;o++){let a=i.lodToRoughness(o,n);if(o>n-jv)r.roughness.value=a,this._renderCube(e,o,this._integrationMaterial);else{let l=a>0?Math.log2(t)+.5*Math.log2(6/(G1*Math.pow(a,4)))+.5:0;s.roughness.value=a,s.lodBias.value=l,this._renderCube(e,o,this._ggxMaterial)}}}_blur(e,t){this._blurMaterial===null&&(this._blurMaterial=ib());let n=this._blurMaterial,s=n.uniforms,r=this._sourceTarget;s.sigma.value=Math.min(t,Math.PI)/Math.SQRT2,s.envMap.value=r.texture,this._renderCube(e,0,n),s.envMap.value=e.texture,this._renderCube(r,0,n)}};function v1(i,e,t){return new Za(i,{minFilter:Ts,generateMipmaps:e,type:Gi,colorSpace:Sr,depthBuffer:t})}function Ka(i,e,t){return new Vn({name:i,uniforms:e,vertexShader:ht.cube_vert,fragmentShader:t,side:ei,blending:wr,depthTest:!1,depthWrite:!1})}function tb(){return Ka("PMREMGGXConvolution",{envMap:{value:null},roughness:{value:0},lodBias:{value:0}},`

		#define GGX_SAMPLES ${G1}u

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float lodBias;

		#include <common>

		// Van der Corput radical inverse
		float radicalInverse_VdC( uint bits ) {

			bits = ( bits << 16u ) | ( bits >> 16u );
			bits = ( ( bits & 0x55555555u ) << 1u ) | ( ( bits & 0xAAAAAAAAu ) >> 1u );
			bits = ( ( bits & 0x33333333u ) << 2u ) | ( ( bits & 0xCCCCCCCCu ) >> 2u );
			bits = ( ( bits & 0x0F0F0F0Fu ) << 4u ) | ( ( bits & 0xF0F0F0F0u ) >> 4u );
			bits = ( ( bits & 0x00FF00FFu ) << 8u ) | ( ( bits & 0xFF00FF00u ) >> 8u );
			return float( bits ) * 2.3283064365386963e-10; // / 0x100000000

		}

		// Hammersley sequence
		vec2 hammersley( uint i, uint N ) {

			return vec2( float( i ) / float( N ), radicalInverse_VdC( i ) );

		}

		void main() {

			vec3 N = normalize( vWorldDirection );

			// For very low roughness, just sample the environment directly
			if ( roughness < 0.001 ) {

				gl_FragColor = vec4( textureLod( envMap, N, 0.0 ).rgb, 1.0 );
				return;

			}

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			// Tangent space basis for VNDF sampling
			vec3 up = abs( N.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, N ) );
			vec3 bitangent = cross( N, tangent );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			for ( uint i = 0u; i < GGX_SAMPLES; i ++ ) {

				vec2 Xi = hammersley( i, GGX_SAMPLES );

				// With V = N, sample the reflected direction directly.
				float invQ = 1.0 / ( 1.0 - Xi.x + alpha2 * Xi.x );
				float NdotL = ( 1.0 - Xi.x - alpha2 * Xi.x ) * invQ;

				if ( NdotL > 0.0 ) {

					float phi = 2.0 * PI * Xi.y;
					float sinTheta = 2.0 * alpha * sqrt( Xi.x * ( 1.0 - Xi.x ) ) * invQ;
					vec3 L = N * NdotL + ( tangent * cos( phi ) + bitangent * sin( phi ) ) * sinTheta;

					// Match the source mip to the sample's solid angle. The terms
					// independent of the sample are precomputed in lodBias.
					float d = alpha2 * invQ;
					float lod = max( log2( d ) + lodBias, 0.0 );

					// Weight by NdotL for the split-sum approximation
					prefilteredColor += textureLod( envMap, L, lod ).rgb * NdotL;
					totalWeight += NdotL;

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function nb(){return Ka("PMREMGGXIntegration",{envMap:{value:null},roughness:{value:0},sourceLod:{value:0},sourceSize:{value:H1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float roughness;
		uniform float sourceLod;
		uniform int sourceSize;

		void main() {

			vec3 N = normalize( vWorldDirection );

			float alpha = roughness * roughness;
			float alpha2 = alpha * alpha;

			float texelSize = 2.0 / float( sourceSize );

			vec3 prefilteredColor = vec3( 0.0 );
			float totalWeight = 0.0;

			// Pair opposite texels: only the one in N's hemisphere contributes.
			for ( int face = 0; face < 3; face ++ ) {

				for ( int y = 0; y < sourceSize; y ++ ) {

					for ( int x = 0; x < sourceSize; x ++ ) {

						vec2 uv = ( vec2( x, y ) + 0.5 ) * texelSize - 1.0;
						vec3 texelDirection = face == 0 ? vec3( 1.0, uv ) : ( face == 1 ? vec3( uv.x, 1.0, uv.y ) : vec3( uv, 1.0 ) );

						float invDistance = inversesqrt( 1.0 + dot( uv, uv ) );
						float NdotL = dot( N, texelDirection );
						texelDirection *= NdotL < 0.0 ? - 1.0 : 1.0;
						NdotL = abs( NdotL ) * invDistance;

						// With V = N, NdotH squared is ( 1 + NdotL ) / 2. Common factors
						// in the GGX distribution and texel solid angle cancel when normalized.
						float d = 1.0 + alpha2 + ( alpha2 - 1.0 ) * NdotL;
						float weight = NdotL * invDistance * invDistance * invDistance / ( d * d );

						prefilteredColor += textureLod( envMap, texelDirection, sourceLod ).rgb * weight;
						totalWeight += weight;

					}

				}

			}

			gl_FragColor = vec4( prefilteredColor / totalWeight, 1.0 );

		}
	`)}function ib(){return Ka("PMREMSphericalGaussianBlur",{envMap:{value:null},sigma:{value:0}},`

		#define SAMPLES ${Jv}
		#define GOLDEN_ANGLE 2.39996322973

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float sigma;

		#include <common>

		void main() {

			vec3 outputDirection = normalize( vWorldDirection );

			vec3 up = abs( outputDirection.z ) < 0.999 ? vec3( 0.0, 0.0, 1.0 ) : vec3( 1.0, 0.0, 0.0 );
			vec3 tangent = normalize( cross( up, outputDirection ) );
			vec3 bitangent = cross( outputDirection, tangent );

			// Truncate the kernel at three standard deviations or at the antipode.
			float thetaMax = min( 3.0 * sigma, PI );
			float truncation = 1.0 - exp( - 0.5 * thetaMax * thetaMax / ( sigma * sigma ) );

			vec3 accumColor = vec3( 0.0 );
			float accumWeight = 0.0;

			for ( int i = 0; i < SAMPLES; i ++ ) {

				// Stratified inverse-CDF sampling of the Gaussian, placed on a golden-angle spiral.
				float stratum = ( float( i ) + 0.5 ) / float( SAMPLES );
				float theta = sigma * sqrt( - 2.0 * log( 1.0 - stratum * truncation ) );
				float phi = float( i ) * GOLDEN_ANGLE;

				vec3 offset = cos( phi ) * tangent + sin( phi ) * bitangent;
				vec3 sampleDirection = cos( theta ) * outputDirection + sin( theta ) * offset;

				// Correct the planar sample density to solid angle.
				float weight = sin( theta ) / theta;

				accumColor += weight * textureLod( envMap, sampleDirection, 0.0 ).rgb;
				accumWeight += weight;

			}

			gl_FragColor = vec4( accumColor / accumWeight, 1.0 );

		}
	`)}function b1(){return Ka("PMREMEquirectangularToCubemap",{envMap:{value:null}},`

		varying vec3 vWorldDirection;

		uniform sampler2D envMap;

		#include <common>

		void main() {

			// Average four subpixel samples to preserve small, bright features.
			vec3 direction = normalize( vWorldDirection );
			vec3 dx = dFdx( direction ) * 0.25;
			vec3 dy = dFdy( direction ) * 0.25;

			vec3 color = textureLod( envMap, equirectUv( normalize( direction - dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx - dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction - dx + dy ) ), 0.0 ).rgb;
			color += textureLod( envMap, equirectUv( normalize( direction + dx + dy ) ), 0.0 ).rgb;
			gl_FragColor = vec4( color * 0.25, 1.0 );

		}
	`)}function S1(){return Ka("PMREMCubemapToCubemap",{envMap:{value:null},flipEnvMap:{value:-1}},`

		varying vec3 vWorldDirection;

		uniform samplerCube envMap;
		uniform float flipEnvMap;

		void main() {

			gl_FragColor = vec4( textureCube( envMap, vec3( flipEnvMap * vWorldDirection.x, vWorldDirection.yz ) ).rgb, 1.0 );

		}
	`)}function sb(i){let e=new WeakMap,t=new WeakMap,n=null;function s(d,f=!1){return d==null?null:f?o(d):r(d)}function r(d){if(d&&d.isTexture){let f=d.mapping;if(f===Jc||f===jc)if(e.has(d)){let m=e.get(d).texture;return a(m,d.mapping)}else{let m=d.image;if(m&&m.height>0){let x=new Za(m.height);return x.fromEquirectangularTexture(i,d),e.set(d,x),d.addEventListener("dispose",c),a(x.texture,d.mapping)}else return null}}return d}function o(d){if(d&&d.isTexture&&d.isPMREMTexture!==!0){let f=d.mapping,m=f===Jc||f===jc,x=f===Tr||f===Lo;if(m||x){let g=t.get(d),p=g!==void 0?g.texture.pmremVersion:0;if(d.isRenderTargetTexture&&d.pmremVersion!==p)return n===null&&(n=new zh(i)),g=m?n.fromEquirectangular(d,g):n.fromCubemap(d,g),g.texture.pmremVersion=d.pmremVersion,t.set(d,g),g.texture;if(g!==void 0)return g.texture;{let b=d.image;return m&&b&&b.height>0||x&&b&&l(b)?(n===null&&(n=new zh(i)),g=m?n.fromEquirectangular(d):n.fromCubemap(d),g.texture.pmremVersion=d.pmremVersion,t.set(d,g),d.addEventListener("dispose",h),g.texture):null}}}return d}function a(d,f){return f===Jc?d.mapping=Tr:f===jc&&(d.mapping=Lo),d}function l(d){let f=0,m=6;for(let x=0;x<m;x++)d[x]!==void 0&&f++;return f===m}function c(d){let f=d.target;f.removeEventListener("dispose",c);let m=e.get(f);m!==void 0&&(e.delete(f),m.dispose())}function h(d){let f=d.target;f.removeEventListener("dispose",h);let m=t.get(f);m!==void 0&&(t.delete(f),m.dispose())}function u(){e=new WeakMap,t=new WeakMap,n!==null&&(n.dispose(),n=null)}return{get:s,dispose:u}}function rb(i){let e={};function t(n){if(e[n]!==void 0)return e[n];let s=i.getExtension(n);return e[n]=s,s}return{has:function(n){return t(n)!==null},init:function(){t("EXT_color_buffer_float"),t("WEBGL_clip_cull_distance"),t("OES_texture_float_linear"),t("EXT_color_buffer_half_float"),t("WEBGL_multisampled_render_to_texture"),t("WEBGL_render_shared_exponent")},get:function(n){let s=t(n);return s===null&&da("WebGLRenderer: "+n+" extension not supported."),s}}}function ob(i,e,t,n){let s={},r=new WeakMap,o=new FinalizationRegistry(m=>delete s[m]);function a(m){l(m.target)}function l(m){m.index!==null&&e.remove(m.index);for(let g in m.attributes)e.remove(m.attributes[g]);m.removeEventListener("dispose",a),delete s[m.id],o.unregister(m);let x=r.get(m);x&&(e.remove(x),r.delete(m)),n.releaseStatesOfGeometry(m),m.isInstancedBufferGeometry===!0&&delete m._maxInstanceCount,t.memory.geometries--}function c(m,x){return s[x.id]!==void 0||(x.addEventListener("dispose",a),s[x.id]=new WeakRef(x),o.register(x,x.id,x),t.memory.geometries++),x}function h(m){let x=m.attributes;for(let g in x)e.update(x[g],i.ARRAY_BUFFER)}function u(m){let x=m.index,g=m.attributes.position,p=0;if(g===void 0)return;let b=x!==null?x.array.length:g.array.length/3-1,A=g.count>=65535?wa:Ma,w=new A(Math.ceil(b/3)*6,1),P=w.array;if(x!==null){let y=x.array;p=x.version;for(let E=0,z=0;E<b;E+=3){let N=y[E+0],L=y[E+1],H=y[E+2];P[z++]=N,P[z++]=L,P[z++]=L,P[z++]=H,P[z++]=H,P[z++]=N}}else{p=g.version;for(let y=0,E=0;y<b;y+=3){let z=y+0,N=y+1,L=y+2;P[E++]=z,P[E++]=N,P[E++]=N,P[E++]=L,P[E++]=L,P[E++]=z}}w.version=p;let T=r.get(m);T&&e.remove(T),r.set(m,w)}function d(m){let x=r.get(m);if(x){let g=m.index;g!==null&&x.version<g.version&&u(m)}else u(m);return r.get(m)}function f(){for(let m in s){let x=s[m].deref();x!==void 0&&l(x)}}return{get:c,update:h,getWireframeAttribute:d,dispose:f}}function ab(i,e,t){let n;function s(u){n=u}let r,o;function a(u){r=u.type,o=u.bytesPerElement}function l(u,d){i.drawElements(n,d,r,u*o),t.update(d,n,1)}function c(u,d,f){f!==0&&(i.drawElementsInstanced(n,d,r,u*o,f),t.update(d,n,f))}function h(u,d,f){if(f===0)return;e.get("WEBGL_multi_draw").multiDrawElementsWEBGL(n,d,0,r,u,0,f);let x=0;for(let g=0;g<f;g++)x+=d[g];t.update(x,n,1)}this.setMode=s,this.setIndex=a,this.render=l,this.renderInstances=c,this.renderMultiDraw=h}function lb(i){let e={geometries:0,textures:0},t={frame:0,calls:0,triangles:0,points:0,lines:0};function n(r,o,a){switch(t.calls++,o){case i.TRIANGLES:t.triangles+=a*(r/3);break;case i.LINES:t.lines+=a*(r/2);break;case i.LINE_STRIP:t.lines+=a*(r-1);break;case i.LINE_LOOP:t.lines+=a*r;break;case i.POINTS:t.points+=a*r;break;default:Qe("WebGLInfo: Unknown draw mode:",o);break}}function s(){t.calls=0,t.triangles=0,t.points=0,t.lines=0}return{memory:e,render:t,programs:null,autoReset:!0,reset:s,update:n}}function cb(i,e,t){let n=new WeakMap,s=new Lt;function r(o,a,l){let c=o.morphTargetInfluences,h=a.morphAttributes.position||a.morphAttributes.normal||a.morphAttributes.color,u=h!==void 0?h.length:0,d=n.get(a);if(d===void 0||d.count!==u){let z=function(){y.dispose(),n.delete(a),a.removeEventListener("dispose",z)};d!==void 0&&d.texture.dispose();let f=a.morphAttributes.position!==void 0,m=a.morphAttributes.normal!==void 0,x=a.morphAttributes.color!==void 0,g=a.morphAttributes.position||[],p=a.morphAttributes.normal||[],b=a.morphAttributes.color||[],A=0;f===!0&&(A=1),m===!0&&(A=2),x===!0&&(A=3);let w=a.attributes.position.count*A,P=1;w>e.maxTextureSize&&(P=Math.ceil(w/e.maxTextureSize),w=e.maxTextureSize);let T=new Float32Array(w*P*4*u),y=new va(T,w,P,u);y.type=Vi,y.needsUpdate=!0;let E=A*4;for(let N=0;N<u;N++){let L=g[N],H=p[N],W=b[N],D=w*P*4*N;for(let G=0;G<L.count;G++){let K=G*E;f===!0&&(s.fromBufferAttribute(L,G),T[D+K+0]=s.x,T[D+K+1]=s.y,T[D+K+2]=s.z,T[D+K+3]=0),m===!0&&(s.fromBufferAttribute(H,G),T[D+K+4]=s.x,T[D+K+5]=s.y,T[D+K+6]=s.z,T[D+K+7]=0),x===!0&&(s.fromBufferAttribute(W,G),T[D+K+8]=s.x,T[D+K+9]=s.y,T[D+K+10]=s.z,T[D+K+11]=W.itemSize===4?s.w:1)}}d={count:u,texture:y,size:new et(w,P)},n.set(a,d),a.addEventListener("dispose",z)}if(o.isInstancedMesh===!0&&o.morphTexture!==null)l.getUniforms().setValue(i,"morphTexture",o.morphTexture,t);else{let f=0;for(let x=0;x<c.length;x++)f+=c[x];let m=a.morphTargetsRelative?1:1-f;l.getUniforms().setValue(i,"morphTargetBaseInfluence",m),l.getUniforms().setValue(i,"morphTargetInfluences",c)}l.getUniforms().setValue(i,"morphTargetsTexture",d.texture,t),l.getUniforms().setValue(i,"morphTargetsTextureSize",d.size)}return{update:r}}function hb(i,e,t,n,s){let r=new WeakMap;function o(c){let h=s.render.frame,u=c.geometry,d=e.get(c,u);if(r.get(d)!==h&&(e.update(d),r.set(d,h)),c.isInstancedMesh&&(c.hasEventListener("dispose",l)===!1&&c.addEventListener("dispose",l),r.get(c)!==h&&(t.update(c.instanceMatrix,i.ARRAY_BUFFER),c.instanceColor!==null&&t.update(c.instanceColor,i.ARRAY_BUFFER),r.set(c,h))),c.isSkinnedMesh){let f=c.skeleton;r.get(f)!==h&&(f.update(),r.set(f,h))}return d}function a(){r=new WeakMap}function l(c){let h=c.target;h.removeEventListener("dispose",l),n.releaseStatesOfObject(h),t.remove(h.instanceMatrix),h.instanceColor!==null&&t.remove(h.instanceColor)}return{update:o,dispose:a}}var ub={[$d]:"LINEAR_TONE_MAPPING",[Yd]:"REINHARD_TONE_MAPPING",[Zd]:"CINEON_TONE_MAPPING",[Kd]:"ACES_FILMIC_TONE_MAPPING",[jd]:"AGX_TONE_MAPPING",[Qd]:"NEUTRAL_TONE_MAPPING",[Jd]:"CUSTOM_TONE_MAPPING"};function db(i,e,t,n,s,r){let o=new yi(e,t,{type:i,depthBuffer:s,stencilBuffer:r,samples:n?4:0,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,resolveDepthBuffer:!1,resolveStencilBuffer:!1}),a=null,l=null,c=null,h=new tn;h.setAttribute("position",new rn([-1,3,0,-1,-1,0,3,-1,0],3)),h.setAttribute("uv",new rn([0,2,0,0,2,0],2));let u=new Uc({uniforms:{tDiffuse:{value:null}},vertexShader:`
			precision highp float;

			uniform mat4 modelViewMatrix;
			uniform mat4 projectionMatrix;

			attribute vec3 position;
			attribute vec2 uv;

			varying vec2 vUv;

			void main() {
				vUv = uv;
				gl_Position = projectionMatrix * modelViewMatrix * vec4( position, 1.0 );
			}`,fragmentShader:`
			precision highp float;

			uniform sampler2D tDiffuse;

			varying vec2 vUv;

			#include <tonemapping_pars_fragment>
			#include <colorspace_pars_fragment>

			void main() {
				gl_FragColor = texture2D( tDiffuse, vUv );

				#ifdef LINEAR_TONE_MAPPING
					gl_FragColor.rgb = LinearToneMapping( gl_FragColor.rgb );
				#elif defined( REINHARD_TONE_MAPPING )
					gl_FragColor.rgb = ReinhardToneMapping( gl_FragColor.rgb );
				#elif defined( CINEON_TONE_MAPPING )
					gl_FragColor.rgb = CineonToneMapping( gl_FragColor.rgb );
				#elif defined( ACES_FILMIC_TONE_MAPPING )
					gl_FragColor.rgb = ACESFilmicToneMapping( gl_FragColor.rgb );
				#elif defined( AGX_TONE_MAPPING )
					gl_FragColor.rgb = AgXToneMapping( gl_FragColor.rgb );
				#elif defined( NEUTRAL_TONE_MAPPING )
					gl_FragColor.rgb = NeutralToneMapping( gl_FragColor.rgb );
				#elif defined( CUSTOM_TONE_MAPPING )
					gl_FragColor.rgb = CustomToneMapping( gl_FragColor.rgb );
				#endif

				#ifdef SRGB_TRANSFER
					gl_FragColor = sRGBTransferOETF( gl_FragColor );
				#endif
			}`,depthTest:!1,depthWrite:!1}),d=new si(h,u),f=new Zc(-1,1,1,-1,0,1),m=null,x=null,g=!1,p,b=null,A=[],w=!1;this.setSize=function(P,T){o.setSize(P,T),a!==null&&a.setSize(P,T),l!==null&&l.setSize(P,T);for(let y=0;y<A.length;y++){let E=A[y];E.setSize&&E.setSize(P,T)}},this.setEffects=function(P){A=P,w=A.length>0&&A[0].isRenderPass===!0;let T=o.width,y=o.height;A.length>0&&a===null&&(a=new yi(T,y,{type:Gi,depthBuffer:!1,stencilBuffer:!1}),l=new yi(T,y,{type:Gi,depthBuffer:!1,stencilBuffer:!1}));let E=s===!0&&A.some(z=>z.needsDepthTexture===!0);E!==(o.depthTexture!==null)&&(E===!0&&c===null&&(c=new Es(T,y),r===!0&&(c.format=As,c.type=Ar)),o.dispose(),o.depthTexture=E?c:null,o.resolveDepthBuffer=E,o.storeMultisampledDepthBuffer=E);for(let z=0;z<A.length;z++){let N=A[z];N.setSize&&N.setSize(T,y),E&&N.needsDepthTexture===!0&&N.setDepthTexture&&N.setDepthTexture(c)}},this.begin=function(P,T){if(g||P.toneMapping===is&&A.length===0)return!1;if(b=T,T!==null){let y=T.width,E=T.height;(o.width!==y||o.height!==E)&&this.setSize(y,E)}return w===!1&&P.setRenderTarget(o),p=P.toneMapping,P.toneMapping=is,!0},this.hasRenderPass=function(){return w},this.end=function(P,T){P.toneMapping=p,g=!0;let y=o,E=a;for(let z=0;z<A.length;z++){let N=A[z];N.enabled!==!1&&(N.render(P,E,y,T),N.needsSwap!==!1&&(y=E,E=E===a?l:a))}if(m!==P.outputColorSpace||x!==P.toneMapping){m=P.outputColorSpace,x=P.toneMapping,u.defines={},pt.getTransfer(m)===Rt&&(u.defines.SRGB_TRANSFER="");let z=ub[x];z&&(u.defines[z]=""),u.needsUpdate=!0}u.uniforms.tDiffuse.value=y.texture,P.setRenderTarget(b),P.render(d,f),b=null,g=!1},this.isCompositing=function(){return g},this.dispose=function(){o.dispose(),a!==null&&a.dispose(),l!==null&&l.dispose(),h.dispose(),u.dispose()}}var W1=new Qn,X1=new Es(1,1),q1=new Aa(1),$1=new va,Y1=new Ac,Z1=new Ea,M1=[],w1=[],E1=new Float32Array(16),T1=new Float32Array(9),A1=new Float32Array(4);function Fo(i,e,t){let n=i[0];if(n<=0||n>0)return i;let s=e*t,r=M1[s];if(r===void 0&&(r=new Float32Array(s),M1[s]=r),e!==0){n.toArray(r,0);for(let o=1,a=0;o!==e;++o)a+=t,i[o].toArray(r,a)}return r}function vn(i,e){if(i.length!==e.length)return!1;for(let t=0,n=i.length;t<n;t++)if(i[t]!==e[t])return!1;return!0}function bn(i,e){for(let t=0,n=e.length;t<n;t++)i[t]=e[t]}function Gh(i,e){let t=w1[e];t===void 0&&(t=new Int32Array(e),w1[e]=t);for(let n=0;n!==e;++n)t[n]=i.allocateTextureUnit();return t}function fb(i,e){let t=this.cache;t[0]!==e&&(i.uniform1f(this.addr,e),t[0]=e)}function pb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2f(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(vn(t,e))return;i.uniform2fv(this.addr,e),bn(t,e)}}function mb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3f(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else if(e.r!==void 0)(t[0]!==e.r||t[1]!==e.g||t[2]!==e.b)&&(i.uniform3f(this.addr,e.r,e.g,e.b),t[0]=e.r,t[1]=e.g,t[2]=e.b);else{if(vn(t,e))return;i.uniform3fv(this.addr,e),bn(t,e)}}function gb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4f(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(vn(t,e))return;i.uniform4fv(this.addr,e),bn(t,e)}}function _b(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(vn(t,e))return;i.uniformMatrix2fv(this.addr,!1,e),bn(t,e)}else{if(vn(t,n))return;A1.set(n),i.uniformMatrix2fv(this.addr,!1,A1),bn(t,n)}}function yb(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(vn(t,e))return;i.uniformMatrix3fv(this.addr,!1,e),bn(t,e)}else{if(vn(t,n))return;T1.set(n),i.uniformMatrix3fv(this.addr,!1,T1),bn(t,n)}}function xb(i,e){let t=this.cache,n=e.elements;if(n===void 0){if(vn(t,e))return;i.uniformMatrix4fv(this.addr,!1,e),bn(t,e)}else{if(vn(t,n))return;E1.set(n),i.uniformMatrix4fv(this.addr,!1,E1),bn(t,n)}}function vb(i,e){let t=this.cache;t[0]!==e&&(i.uniform1i(this.addr,e),t[0]=e)}function bb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2i(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(vn(t,e))return;i.uniform2iv(this.addr,e),bn(t,e)}}function Sb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3i(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(vn(t,e))return;i.uniform3iv(this.addr,e),bn(t,e)}}function Mb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4i(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(vn(t,e))return;i.uniform4iv(this.addr,e),bn(t,e)}}function wb(i,e){let t=this.cache;t[0]!==e&&(i.uniform1ui(this.addr,e),t[0]=e)}function Eb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y)&&(i.uniform2ui(this.addr,e.x,e.y),t[0]=e.x,t[1]=e.y);else{if(vn(t,e))return;i.uniform2uiv(this.addr,e),bn(t,e)}}function Tb(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z)&&(i.uniform3ui(this.addr,e.x,e.y,e.z),t[0]=e.x,t[1]=e.y,t[2]=e.z);else{if(vn(t,e))return;i.uniform3uiv(this.addr,e),bn(t,e)}}function Ab(i,e){let t=this.cache;if(e.x!==void 0)(t[0]!==e.x||t[1]!==e.y||t[2]!==e.z||t[3]!==e.w)&&(i.uniform4ui(this.addr,e.x,e.y,e.z,e.w),t[0]=e.x,t[1]=e.y,t[2]=e.z,t[3]=e.w);else{if(vn(t,e))return;i.uniform4uiv(this.addr,e),bn(t,e)}}function Hh(i){return i.version===0&&(i.compareFunction=df,i.needsUpdate=!0),i}function Rb(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_2D_SHADOW?r=Hh(X1):r=W1,t.setTexture2D(e||r,s)}function Cb(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture3D(e||Y1,s)}function Pb(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s);let r;this.type===i.SAMPLER_CUBE_SHADOW?r=Hh(q1):r=Z1,t.setTextureCube(e||r,s)}function Ib(i,e,t){let n=this.cache,s=t.allocateTextureUnit();n[0]!==s&&(i.uniform1i(this.addr,s),n[0]=s),t.setTexture2DArray(e||$1,s)}function Lb(i){switch(i){case 5126:return fb;case 35664:return pb;case 35665:return mb;case 35666:return gb;case 35674:return _b;case 35675:return yb;case 35676:return xb;case 5124:case 35670:return vb;case 35667:case 35671:return bb;case 35668:case 35672:return Sb;case 35669:case 35673:return Mb;case 5125:return wb;case 36294:return Eb;case 36295:return Tb;case 36296:return Ab;case 35678:case 36198:case 36298:case 36306:case 35682:return Rb;case 35679:case 36299:case 36307:return Cb;case 35680:case 36300:case 36308:case 36293:return Pb;case 36289:case 36303:case 36311:case 36292:return Ib}}function Db(i,e){i.uniform1fv(this.addr,e)}function Nb(i,e){let t=Fo(e,this.size,2);i.uniform2fv(this.addr,t)}function Fb(i,e){let t=Fo(e,this.size,3);i.uniform3fv(this.addr,t)}function Ub(i,e){let t=Fo(e,this.size,4);i.uniform4fv(this.addr,t)}function Ob(i,e){let t=Fo(e,this.size,4);i.uniformMatrix2fv(this.addr,!1,t)}function kb(i,e){let t=Fo(e,this.size,9);i.uniformMatrix3fv(this.addr,!1,t)}function Bb(i,e){let t=Fo(e,this.size,16);i.uniformMatrix4fv(this.addr,!1,t)}function zb(i,e){i.uniform1iv(this.addr,e)}function Vb(i,e){i.uniform2iv(this.addr,e)}function Gb(i,e){i.uniform3iv(this.addr,e)}function Hb(i,e){i.uniform4iv(this.addr,e)}function Wb(i,e){i.uniform1uiv(this.addr,e)}function Xb(i,e){i.uniform2uiv(this.addr,e)}function qb(i,e){i.uniform3uiv(this.addr,e)}function $b(i,e){i.uniform4uiv(this.addr,e)}function Yb(i,e,t){let n=this.cache,s=e.length,r=Gh(t,s);vn(n,r)||(i.uniform1iv(this.addr,r),bn(n,r));let o;this.type===i.SAMPLER_2D_SHADOW?o=Hh(X1):o=W1;for(let a=0;a!==s;++a)t.setTexture2D(e[a]||o,r[a])}function Zb(i,e,t){let n=this.cache,s=e.length,r=Gh(t,s);vn(n,r)||(i.uniform1iv(this.addr,r),bn(n,r));for(let o=0;o!==s;++o)t.setTexture3D(e[o]||Y1,r[o])}function Kb(i,e,t){let n=this.cache,s=e.length,r=Gh(t,s);vn(n,r)||(i.uniform1iv(this.addr,r),bn(n,r));let o;this.type===i.SAMPLER_CUBE_SHADOW?o=Hh(q1):o=Z1;for(let a=0;a!==s;++a)t.setTextureCube(e[a]||o,r[a])}function Jb(i,e,t){let n=this.cache,s=e.length,r=Gh(t,s);vn(n,r)||(i.uniform1iv(this.addr,r),bn(n,r));for(let o=0;o!==s;++o)t.setTexture2DArray(e[o]||$1,r[o])}function jb(i){switch(i){case 5126:return Db;case 35664:return Nb;case 35665:return Fb;case 35666:return Ub;case 35674:return Ob;case 35675:return kb;case 35676:return Bb;case 5124:case 35670:return zb;case 35667:case 35671:return Vb;case 35668:case 35672:return Gb;case 35669:case 35673:return Hb;case 5125:return Wb;case 36294:return Xb;case 36295:return qb;case 36296:return $b;case 35678:case 36198:case 36298:case 36306:case 35682:return Yb;case 35679:case 36299:case 36307:return Zb;case 35680:case 36300:case 36308:case 36293:return Kb;case 36289:case 36303:case 36311:case 36292:return Jb}}var Ef=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.setValue=Lb(t.type)}},Tf=class{constructor(e,t,n){this.id=e,this.addr=n,this.cache=[],this.type=t.type,this.size=t.size,this.setValue=jb(t.type)}},Af=class{constructor(e){this.id=e,this.seq=[],this.map={}}setValue(e,t,n){let s=this.seq;for(let r=0,o=s.length;r!==o;++r){let a=s[r];a.setValue(e,t[a.id],n)}}},Mf=/(\w+)(\])?(\[|\.)?/g;function R1(i,e){i.seq.push(e),i.map[e.id]=e}function Qb(i,e,t){let n=i.name,s=n.length;for(Mf.lastIndex=0;;){let r=Mf.exec(n),o=Mf.lastIndex,a=r[1],l=r[2]==="]",c=r[3];if(l&&(a=a|0),c===void 0||c==="["&&o+2===s){R1(t,c===void 0?new Ef(a,i,e):new Tf(a,i,e));break}else{let u=t.map[a];u===void 0&&(u=new Af(a),R1(t,u)),t=u}}}var No=class{constructor(e,t){this.seq=[],this.map={};let n=e.getProgramParameter(t,e.ACTIVE_UNIFORMS);for(let o=0;o<n;++o){let a=e.getActiveUniform(t,o),l=e.getUniformLocation(t,a.name);Qb(a,l,this)}let s=[],r=[];for(let o of this.seq)o.type===e.SAMPLER_2D_SHADOW||o.type===e.SAMPLER_CUBE_SHADOW||o.type===e.SAMPLER_2D_ARRAY_SHADOW?s.push(o):r.push(o);s.length>0&&(this.seq=s.concat(r))}setValue(e,t,n,s){let r=this.map[t];r!==void 0&&r.setValue(e,n,s)}setOptional(e,t,n){let s=t[n];s!==void 0&&this.setValue(e,n,s)}static upload(e,t,n,s){for(let r=0,o=t.length;r!==o;++r){let a=t[r],l=n[a.id];l.needsUpdate!==!1&&a.setValue(e,l.value,s)}}static seqWithValue(e,t){let n=[];for(let s=0,r=e.length;s!==r;++s){let o=e[s];o.id in t&&n.push(o)}return n}};function C1(i,e,t){let n=i.createShader(e);return i.shaderSource(n,t),i.compileShader(n),n}var eS=37297,tS=0;function nS(i,e){let t=i.split(`
`),n=[],s=Math.max(e-6,0),r=Math.min(e+6,t.length);for(let o=s;o<r;o++){let a=o+1;n.push(`${a===e?">":" "} ${a}: ${t[o]}`)}return n.join(`
`)}var P1=new tt;function iS(i){pt._getMatrix(P1,pt.workingColorSpace,i);let e=`mat3( ${P1.elements.map(t=>t.toFixed(4))} )`;switch(pt.getTransfer(i)){case ga:return[e,"LinearTransferOETF"];case Rt:return[e,"sRGBTransferOETF"];default:return qe("WebGLProgram: Unsupported color space: ",i),[e,"LinearTransferOETF"]}}function I1(i,e,t){let n=i.getShaderParameter(e,i.COMPILE_STATUS),r=(i.getShaderInfoLog(e)||"").trim();if(n&&r==="")return"";let o=/ERROR: 0:(\d+)/.exec(r);if(o){let a=parseInt(o[1]);return t.toUpperCase()+`

`+r+`

`+nS(i.getShaderSource(e),a)}else return r}function sS(i,e){let t=iS(e);return[`vec4 ${i}( vec4 value ) {`,`	return ${t[1]}( vec4( ${t[0]} * value.rgb, value.a ) );`,"}"].join(`
`)}var rS={[$d]:"Linear",[Yd]:"Reinhard",[Zd]:"Cineon",[Kd]:"ACESFilmic",[jd]:"AgX",[Qd]:"Neutral",[Jd]:"Custom"};function oS(i,e){let t=rS[e];return t===void 0?(qe("WebGLProgram: Unsupported toneMapping:",e),"vec3 "+i+"( vec3 color ) { return LinearToneMapping( color ); }"):"vec3 "+i+"( vec3 color ) { return "+t+"ToneMapping( color ); }"}var Bh=new V;function aS(){pt.getLuminanceCoefficients(Bh);let i=Bh.x.toFixed(4),e=Bh.y.toFixed(4),t=Bh.z.toFixed(4);return["float luminance( const in vec3 rgb ) {",`	const vec3 weights = vec3( ${i}, ${e}, ${t} );`,"	return dot( weights, rgb );","}"].join(`
`)}function lS(i){return[i.extensionClipCullDistance?"#extension GL_ANGLE_clip_cull_distance : require":"",i.extensionMultiDraw?"#extension GL_ANGLE_multi_draw : require":""].filter(Ya).join(`
`)}function cS(i){let e=[];for(let t in i){let n=i[t];n!==!1&&e.push("#define "+t+" "+n)}return e.join(`
`)}function hS(i,e){let t={},n=i.getProgramParameter(e,i.ACTIVE_ATTRIBUTES);for(let s=0;s<n;s++){let r=i.getActiveAttrib(e,s),o=r.name,a=1;r.type===i.FLOAT_MAT2&&(a=2),r.type===i.FLOAT_MAT3&&(a=3),r.type===i.FLOAT_MAT4&&(a=4),t[o]={type:r.type,location:i.getAttribLocation(e,o),locationSize:a}}return t}function Ya(i){return i!==""}function L1(i,e){let t=e.numSpotLightShadows+e.numSpotLightMaps-e.numSpotLightShadowsWithMaps;return i.replace(/NUM_SUN_LIGHTS/g,e.numSunLights).replace(/NUM_DIR_LIGHTS/g,e.numDirLights).replace(/NUM_SPOT_LIGHTS/g,e.numSpotLights).replace(/NUM_SPOT_LIGHT_MAPS/g,e.numSpotLightMaps).replace(/NUM_SPOT_LIGHT_COORDS/g,t).replace(/NUM_RECT_AREA_LIGHTS/g,e.numRectAreaLights).replace(/NUM_POINT_LIGHTS/g,e.numPointLights).replace(/NUM_HEMI_LIGHTS/g,e.numHemiLights).replace(/NUM_SUN_LIGHT_SHADOWS/g,e.numSunLightShadows).replace(/NUM_DIR_LIGHT_SHADOWS/g,e.numDirLightShadows).replace(/NUM_SPOT_LIGHT_SHADOWS_WITH_MAPS/g,e.numSpotLightShadowsWithMaps).replace(/NUM_SPOT_LIGHT_SHADOWS/g,e.numSpotLightShadows).replace(/NUM_POINT_LIGHT_SHADOWS/g,e.numPointLightShadows).replace(/NUM_LIGHT_PROBE_GRIDS/g,e.numLightProbeGrids)}function D1(i,e){return i.replace(/NUM_CLIPPING_PLANES/g,e.numClippingPlanes).replace(/UNION_CLIPPING_PLANES/g,e.numClippingPlanes-e.numClipIntersection)}var uS=/^[ \t]*#include +<([\w\d./]+)>/gm;function Rf(i){return i.replace(uS,dS)}function dS(i,e){let t=ht[e];if(t===void 0)throw new Error("THREE.WebGLProgram: Can not resolve #include <"+e+">");return Rf(t)}var fS=/#pragma unroll_loop_start\s+for\s*\(\s*int\s+i\s*=\s*(\d+)\s*;\s*i\s*<\s*(\d+)\s*;\s*i\s*\+\+\s*\)\s*{([\s\S]+?)}\s+#pragma unroll_loop_end/g;function N1(i){return i.replace(fS,pS)}function pS(i,e,t,n){let s="";for(let r=parseInt(e);r<parseInt(t);r++)s+=n.replace(/\[\s*i\s*\]/g,"[ "+r+" ]").replace(/UNROLLED_LOOP_INDEX/g,r);return s}function F1(i){let e=`precision ${i.precision} float;
	precision ${i.precision} int;
	precision ${i.precision} sampler2D;
	precision ${i.precision} samplerCube;
	precision ${i.precision} sampler3D;
	precision ${i.precision} sampler2DArray;
	precision ${i.precision} sampler2DShadow;
	precision ${i.precision} samplerCubeShadow;
	precision ${i.precision} sampler2DArrayShadow;
	precision ${i.precision} isampler2D;
	precision ${i.precision} isampler3D;
	precision ${i.precision} isamplerCube;
	precision ${i.precision} isampler2DArray;
	precision ${i.precision} usampler2D;
	precision ${i.precision} usampler3D;
	precision ${i.precision} usamplerCube;
	precision ${i.precision} usampler2DArray;
	`;return i.precision==="highp"?e+=`
#define HIGH_PRECISION`:i.precision==="mediump"?e+=`
#define MEDIUM_PRECISION`:i.precision==="lowp"&&(e+=`
#define LOW_PRECISION`),e}var mS={[Oa]:"SHADOWMAP_TYPE_PCF",[Po]:"SHADOWMAP_TYPE_VSM"};function gS(i){return mS[i.shadowMapType]||"SHADOWMAP_TYPE_BASIC"}var _S={[Lo]:"ENVMAP_MODE_REFRACTION"};function yS(i){return i.envMap===!1?"ENVMAP_MODE_REFLECTION":_S[i.envMapMode]||"ENVMAP_MODE_REFLECTION"}var xS={[qd]:"ENVMAP_BLENDING_MULTIPLY",[t1]:"ENVMAP_BLENDING_MIX",[n1]:"ENVMAP_BLENDING_ADD"};function vS(i){return i.envMap===!1?"ENVMAP_BLENDING_NONE":xS[i.combine]||"ENVMAP_BLENDING_NONE"}function bS(i,e,t,n){let s=i.getContext(),r=t.defines,o=t.vertexShader,a=t.fragmentShader,l=gS(t),c=t.envMapPMREM===!0?"ENVMAP_TYPE_PMREM":"ENVMAP_TYPE_CUBE",h=yS(t),u=vS(t),d=lS(t),f=cS(r),m=s.createProgram(),x,g,p=t.glslVersion?"#version "+t.glslVersion+`
`:"";t.isRawShaderMaterial?(x=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(Ya).join(`
`),x.length>0&&(x+=`
`),g=["#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f].filter(Ya).join(`
`),g.length>0&&(g+=`
`)):(x=[F1(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.extensionClipCullDistance?"#define USE_CLIP_DISTANCE":"",t.batching?"#define USE_BATCHING":"",t.batchingColor?"#define USE_BATCHING_COLOR":"",t.instancing?"#define USE_INSTANCING":"",t.instancingColor?"#define USE_INSTANCING_COLOR":"",t.instancingMorph?"#define USE_INSTANCING_MORPH":"",t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.map?"#define USE_MAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+h:"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.displacementMap?"#define USE_DISPLACEMENTMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.mapUv?"#define MAP_UV "+t.mapUv:"",t.alphaMapUv?"#define ALPHAMAP_UV "+t.alphaMapUv:"",t.lightMapUv?"#define LIGHTMAP_UV "+t.lightMapUv:"",t.aoMapUv?"#define AOMAP_UV "+t.aoMapUv:"",t.emissiveMapUv?"#define EMISSIVEMAP_UV "+t.emissiveMapUv:"",t.bumpMapUv?"#define BUMPMAP_UV "+t.bumpMapUv:"",t.normalMapUv?"#define NORMALMAP_UV "+t.normalMapUv:"",t.displacementMapUv?"#define DISPLACEMENTMAP_UV "+t.displacementMapUv:"",t.metalnessMapUv?"#define METALNESSMAP_UV "+t.metalnessMapUv:"",t.roughnessMapUv?"#define ROUGHNESSMAP_UV "+t.roughnessMapUv:"",t.anisotropyMapUv?"#define ANISOTROPYMAP_UV "+t.anisotropyMapUv:"",t.clearcoatMapUv?"#define CLEARCOATMAP_UV "+t.clearcoatMapUv:"",t.clearcoatNormalMapUv?"#define CLEARCOAT_NORMALMAP_UV "+t.clearcoatNormalMapUv:"",t.clearcoatRoughnessMapUv?"#define CLEARCOAT_ROUGHNESSMAP_UV "+t.clearcoatRoughnessMapUv:"",t.diffuseRoughnessMapUv?"#define DIFFUSE_ROUGHNESSMAP_UV "+t.diffuseRoughnessMapUv:"",t.iridescenceMapUv?"#define IRIDESCENCEMAP_UV "+t.iridescenceMapUv:"",t.iridescenceThicknessMapUv?"#define IRIDESCENCE_THICKNESSMAP_UV "+t.iridescenceThicknessMapUv:"",t.sheenColorMapUv?"#define SHEEN_COLORMAP_UV "+t.sheenColorMapUv:"",t.sheenRoughnessMapUv?"#define SHEEN_ROUGHNESSMAP_UV "+t.sheenRoughnessMapUv:"",t.specularMapUv?"#define SPECULARMAP_UV "+t.specularMapUv:"",t.specularColorMapUv?"#define SPECULAR_COLORMAP_UV "+t.specularColorMapUv:"",t.specularIntensityMapUv?"#define SPECULAR_INTENSITYMAP_UV "+t.specularIntensityMapUv:"",t.transmissionMapUv?"#define TRANSMISSIONMAP_UV "+t.transmissionMapUv:"",t.thicknessMapUv?"#define THICKNESSMAP_UV "+t.thicknessMapUv:"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexNormals?"#define HAS_NORMAL":"",t.vertexColors?"#define USE_COLOR":"",t.vertexAlphas?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.flatShading?"#define FLAT_SHADED":"",t.skinning?"#define USE_SKINNING":"",t.morphTargets?"#define USE_MORPHTARGETS":"",t.morphNormals&&t.flatShading===!1?"#define USE_MORPHNORMALS":"",t.morphColors?"#define USE_MORPHCOLORS":"",t.morphTargetsCount>0?"#define MORPHTARGETS_TEXTURE_STRIDE "+t.morphTextureStride:"",t.morphTargetsCount>0?"#define MORPHTARGETS_COUNT "+t.morphTargetsCount:"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+l:"",t.sizeAttenuation?"#define USE_SIZEATTENUATION":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 modelMatrix;","uniform mat4 modelViewMatrix;","uniform mat4 projectionMatrix;","uniform mat4 viewMatrix;","uniform mat3 normalMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;","#ifdef USE_INSTANCING","	attribute mat4 instanceMatrix;","#endif","#ifdef USE_INSTANCING_COLOR","	attribute vec3 instanceColor;","#endif","#ifdef USE_INSTANCING_MORPH","	uniform sampler2D morphTexture;","#endif","attribute vec3 position;","attribute vec3 normal;","attribute vec2 uv;","#ifdef USE_UV1","	attribute vec2 uv1;","#endif","#ifdef USE_UV2","	attribute vec2 uv2;","#endif","#ifdef USE_UV3","	attribute vec2 uv3;","#endif","#ifdef USE_TANGENT","	attribute vec4 tangent;","#endif","#if defined( USE_COLOR_ALPHA )","	attribute vec4 color;","#elif defined( USE_COLOR )","	attribute vec3 color;","#endif","#ifdef USE_SKINNING","	attribute vec4 skinIndex;","	attribute vec4 skinWeight;","#endif",`
`].filter(Ya).join(`
`),g=[F1(t),"#define SHADER_TYPE "+t.shaderType,"#define SHADER_NAME "+t.shaderName,f,t.useFog&&t.fog?"#define USE_FOG":"",t.useFog&&t.fogExp2?"#define FOG_EXP2":"",t.alphaToCoverage?"#define ALPHA_TO_COVERAGE":"",t.map?"#define USE_MAP":"",t.matcap?"#define USE_MATCAP":"",t.envMap?"#define USE_ENVMAP":"",t.envMap?"#define "+c:"",t.envMap?"#define "+h:"",t.envMap?"#define "+u:"",t.envMapPMREM?"#define ENVMAP_MAX_LOD "+t.envMapMaxLod+".0":"",t.envMapPMREM?"#define ENVMAP_SIZE "+t.envMapSize+".0":"",t.lightMap?"#define USE_LIGHTMAP":"",t.aoMap?"#define USE_AOMAP":"",t.bumpMap?"#define USE_BUMPMAP":"",t.normalMap?"#define USE_NORMALMAP":"",t.normalMapObjectSpace?"#define USE_NORMALMAP_OBJECTSPACE":"",t.normalMapTangentSpace?"#define USE_NORMALMAP_TANGENTSPACE":"",t.packedNormalMap?"#define USE_PACKED_NORMALMAP":"",t.emissiveMap?"#define USE_EMISSIVEMAP":"",t.anisotropy?"#define USE_ANISOTROPY":"",t.anisotropyMap?"#define USE_ANISOTROPYMAP":"",t.clearcoat?"#define USE_CLEARCOAT":"",t.clearcoatMap?"#define USE_CLEARCOATMAP":"",t.clearcoatRoughnessMap?"#define USE_CLEARCOAT_ROUGHNESSMAP":"",t.clearcoatNormalMap?"#define USE_CLEARCOAT_NORMALMAP":"",t.diffuseRoughness?"#define USE_DIFFUSE_ROUGHNESS":"",t.diffuseRoughnessMap?"#define USE_DIFFUSE_ROUGHNESSMAP":"",t.dispersion?"#define USE_DISPERSION":"",t.retroreflection?"#define USE_RETROREFLECTION":"",t.iridescence?"#define USE_IRIDESCENCE":"",t.iridescenceMap?"#define USE_IRIDESCENCEMAP":"",t.iridescenceThicknessMap?"#define USE_IRIDESCENCE_THICKNESSMAP":"",t.specularMap?"#define USE_SPECULARMAP":"",t.specularColorMap?"#define USE_SPECULAR_COLORMAP":"",t.specularIntensityMap?"#define USE_SPECULAR_INTENSITYMAP":"",t.roughnessMap?"#define USE_ROUGHNESSMAP":"",t.metalnessMap?"#define USE_METALNESSMAP":"",t.alphaMap?"#define USE_ALPHAMAP":"",t.alphaTest?"#define USE_ALPHATEST":"",t.alphaHash?"#define USE_ALPHAHASH":"",t.sheen?"#define USE_SHEEN":"",t.sheenColorMap?"#define USE_SHEEN_COLORMAP":"",t.sheenRoughnessMap?"#define USE_SHEEN_ROUGHNESSMAP":"",t.transmission?"#define USE_TRANSMISSION":"",t.transmissionMap?"#define USE_TRANSMISSIONMAP":"",t.thicknessMap?"#define USE_THICKNESSMAP":"",t.vertexTangents&&t.flatShading===!1?"#define USE_TANGENT":"",t.vertexColors||t.instancingColor?"#define USE_COLOR":"",t.vertexAlphas||t.batchingColor?"#define USE_COLOR_ALPHA":"",t.vertexUv1s?"#define USE_UV1":"",t.vertexUv2s?"#define USE_UV2":"",t.vertexUv3s?"#define USE_UV3":"",t.pointsUvs?"#define USE_POINTS_UV":"",t.gradientMap?"#define USE_GRADIENTMAP":"",t.flatShading?"#define FLAT_SHADED":"",t.doubleSided?"#define DOUBLE_SIDED":"",t.flipSided?"#define FLIP_SIDED":"",t.shadowMapEnabled?"#define USE_SHADOWMAP":"",t.shadowMapEnabled?"#define "+l:"",t.premultipliedAlpha?"#define PREMULTIPLIED_ALPHA":"",t.numLightProbes>0?"#define USE_LIGHT_PROBES":"",t.decodeVideoTexture?"#define DECODE_VIDEO_TEXTURE":"",t.decodeVideoTextureEmissive?"#define DECODE_VIDEO_TEXTURE_EMISSIVE":"",t.logarithmicDepthBuffer?"#define USE_LOGARITHMIC_DEPTH_BUFFER":"",t.reversedDepthBuffer?"#define USE_REVERSED_DEPTH_BUFFER":"","uniform mat4 viewMatrix;","uniform vec3 cameraPosition;","uniform bool isOrthographic;",t.toneMapping!==is?"#define TONE_MAPPING":"",t.toneMapping!==is?ht.tonemapping_pars_fragment:"",t.toneMapping!==is?oS("toneMapping",t.toneMapping):"",t.dithering?"#define DITHERING":"",t.opaque?"#define OPAQUE":"",ht.colorspace_pars_fragment,sS("linearToOutputTexel",t.outputColorSpace),aS(),t.useDepthPacking?"#define DEPTH_PACKING "+t.depthPacking:"",`
`].filter(Ya).join(`
`)),o=Rf(o),o=L1(o,t),o=D1(o,t),a=Rf(a),a=L1(a,t),a=D1(a,t),o=N1(o),a=N1(a),t.isRawShaderMaterial!==!0&&(p=`#version 300 es
`,x=[d,"#define attribute in","#define varying out","#define texture2D texture"].join(`
`)+`
`+x,g=["#define varying in",t.glslVersion===pf?"":"layout(location = 0) out highp vec4 pc_fragColor;",t.glslVersion===pf?"":"#define gl_FragColor pc_fragColor","#define gl_FragDepthEXT gl_FragDepth","#define texture2D texture","#define textureCube texture","#define texture2DProj textureProj","#define texture2DLodEXT textureLod","#define texture2DProjLodEXT textureProjLod","#define textureCubeLodEXT textureLod","#define texture2DGradEXT textureGrad","#define texture2DProjGradEXT textureProjGrad","#define textureCubeGradEXT textureGrad"].join(`
`)+`
`+g);let b=p+x+o,A=p+g+a,w=C1(s,s.VERTEX_SHADER,b),P=C1(s,s.FRAGMENT_SHADER,A);s.attachShader(m,w),s.attachShader(m,P),t.index0AttributeName!==void 0?s.bindAttribLocation(m,0,t.index0AttributeName):t.hasPositionAttribute===!0&&s.bindAttribLocation(m,0,"position"),s.linkProgram(m);function T(N){if(i.debug.checkShaderErrors){let L=s.getProgramInfoLog(m)||"",H=s.getShaderInfoLog(w)||"",W=s.getShaderInfoLog(P)||"",D=L.trim(),G=H.trim(),K=W.trim(),B=!0,ce=!0;if(s.getProgramParameter(m,s.LINK_STATUS)===!1)if(B=!1,typeof i.debug.onShaderError=="function")i.debug.onShaderError(s,m,w,P);else{let J=I1(s,w,"vertex"),Q=I1(s,P,"fragment");Qe("WebGLProgram: Shader Error "+s.getError()+" - VALIDATE_STATUS "+s.getProgramParameter(m,s.VALIDATE_STATUS)+`

Material Name: `+N.name+`
Material Type: `+N.type+`

Program Info Log: `+D+`
`+J+`
`+Q)}else D!==""?qe("WebGLProgram: Program Info Log:",D):(G===""||K==="")&&(ce=!1);ce&&(N.diagnostics={runnable:B,programLog:D,vertexShader:{log:G,prefix:x},fragmentShader:{log:K,prefix:g}})}s.deleteShader(w),s.deleteShader(P),y=new No(s,m),E=hS(s,m)}let y;this.getUniforms=function(){return y===void 0&&T(this),y};let E;this.getAttributes=function(){return E===void 0&&T(this),E};let z=t.rendererExtensionParallelShaderCompile===!1;return this.isReady=function(){return z===!1&&(z=s.getProgramParameter(m,eS)),z},this.destroy=function(){n.releaseStatesOfProgram(this),s.deleteProgram(m),this.program=void 0},this.type=t.shaderType,this.name=t.shaderName,this.id=tS++,this.cacheKey=e,this.usedTimes=1,this.program=m,this.vertexShader=w,this.fragmentShader=P,this}var SS=0,Cf=class{constructor(){this.shaderCache=new Map,this.materialCache=new Map}update(e,t,n){let s=this._getShaderCacheForMaterial(e);return s.has(t)===!1&&(s.add(t),t.usedTimes++),s.has(n)===!1&&(s.add(n),n.usedTimes++),this}remove(e){let t=this.materialCache.get(e);for(let n of t)n.usedTimes--,n.usedTimes===0&&this.shaderCache.delete(n.code);return this.materialCache.delete(e),this}getVertexShaderStage(e){return this._getShaderStage(e.vertexShader)}getFragmentShaderStage(e){return this._getShaderStage(e.fragmentShader)}dispose(){this.shaderCache.clear(),this.materialCache.clear()}_getShaderCacheForMaterial(e){let t=this.materialCache,n=t.get(e);return n===void 0&&(n=new Set,t.set(e,n)),n}_getShaderStage(e){let t=this.shaderCache,n=t.get(e);return n===void 0&&(n=new Pf(e),t.set(e,n)),n}},Pf=class{constructor(e){this.id=SS++,this.code=e,this.usedTimes=0}};function MS(i){return i===er||i===Ha||i===Wa}function wS(i,e,t,n,s,r){let o=new ba,a=new Cf,l=new Set,c=[],h=new Map,u=n.logarithmicDepthBuffer,d={MeshDepthMaterial:"depth",MeshDistanceMaterial:"distance",MeshNormalMaterial:"normal",MeshBasicMaterial:"basic",MeshLambertMaterial:"lambert",MeshPhongMaterial:"phong",MeshToonMaterial:"toon",MeshStandardMaterial:"physical",MeshPhysicalMaterial:"physical",MeshMatcapMaterial:"matcap",LineBasicMaterial:"basic",LineDashedMaterial:"dashed",PointsMaterial:"points",ShadowMaterial:"shadow",SpriteMaterial:"sprite"};function f(y){return l.add(y),y===0?"uv":`uv${y}`}function m(y,E,z,N,L,H){let W=N.fog,D=L.geometry,G=y.isMeshStandardMaterial||y.isMeshLambertMaterial||y.isMeshPhongMaterial?N.environment:null,K=y.isMeshStandardMaterial||y.isMeshLambertMaterial&&!y.envMap||y.isMeshPhongMaterial&&!y.envMap,B=e.get(y.envMap||G,K),ce=d[y.type],J=n.precision;y.precision!==null&&(J=n.getMaxPrecision(y.precision),J!==y.precision&&qe("WebGLProgram.getParameters:",y.precision,"not supported, using",J,"instead."));let Q=D.morphAttributes.position||D.morphAttributes.normal||D.morphAttributes.color,se=Q!==void 0?Q.length:0,de=0;D.morphAttributes.position!==void 0&&(de=1),D.morphAttributes.normal!==void 0&&(de=2),D.morphAttributes.color!==void 0&&(de=3);let ue,ee,me,ye;if(ce){let Re=ti[ce];ue=Re.vertexShader,ee=Re.fragmentShader}else{ue=y.vertexShader,ee=y.fragmentShader;let Re=a.getVertexShaderStage(y),at=a.getFragmentShaderStage(y);a.update(y,Re,at),me=Re.id,ye=at.id}let Ae=i.getRenderTarget(),Se=i.state.buffers.depth.getReversed(),He=L.isInstancedMesh===!0,st=L.isBatchedMesh===!0,Ve=!!y.map,ut=!!y.matcap,lt=!!B,nt=lt&&B.isPMREMTexture===!0,qt=!!y.aoMap,kt=!!y.lightMap,on=!!y.bumpMap&&y.wireframe===!1,Dt=!!y.normalMap,Mn=!!y.displacementMap,xt=!!y.emissiveMap,mn=!!y.metalnessMap,Kt=!!y.roughnessMap,an=y.anisotropy>0,U=y.clearcoat>0,Ce=y.diffuseRoughness>0,$e=y.dispersion>0,rt=y.retroreflectivity>0,Me=y.iridescence>0,Ft=y.sheen>0,ze=y.transmission>0,Xe=an&&!!y.anisotropyMap,R=U&&!!y.clearcoatMap,v=U&&!!y.clearcoatNormalMap,X=U&&!!y.clearcoatRoughnessMap,he=Ce&&!!y.diffuseRoughnessMap,oe=Me&&!!y.iridescenceMap,_e=Me&&!!y.iridescenceThicknessMap,xe=Ft&&!!y.sheenColorMap,te=Ft&&!!y.sheenRoughnessMap,ie=!!y.specularMap,pe=!!y.specularColorMap,F=!!y.specularIntensityMap,re=ze&&!!y.transmissionMap,ne=ze&&!!y.thicknessMap,we=!!y.gradientMap,ge=!!y.alphaMap,be=y.alphaTest>0,Ge=!!y.alphaHash,Ze=!!y.extensions,le=is;y.toneMapped&&(Ae===null||Ae.isXRRenderTarget===!0)&&(le=i.toneMapping);let Oe=nt?B.isCompressedCubeTexture?B.image[0].mipmaps:B.mipmaps:null,Ke={shaderID:ce,shaderType:y.type,shaderName:y.name,vertexShader:ue,fragmentShader:ee,defines:y.defines,customVertexShaderID:me,customFragmentShaderID:ye,isRawShaderMaterial:y.isRawShaderMaterial===!0,glslVersion:y.glslVersion,precision:J,batching:st,batchingColor:st&&L._colorsTexture!==null,instancing:He,instancingColor:He&&L.instanceColor!==null,instancingMorph:He&&L.morphTexture!==null,outputColorSpace:Ae===null?i.outputColorSpace:Ae.isXRRenderTarget===!0?Ae.texture.colorSpace:pt.workingColorSpace,alphaToCoverage:!!y.alphaToCoverage,map:Ve,matcap:ut,envMap:lt,envMapMode:lt&&B.mapping,envMapPMREM:nt,envMapMaxLod:nt?Oe.length-1:null,envMapSize:nt?Oe[0].width:null,aoMap:qt,lightMap:kt,bumpMap:on,normalMap:Dt,displacementMap:Mn,emissiveMap:xt,normalMapObjectSpace:Dt&&y.normalMapType===r1,normalMapTangentSpace:Dt&&y.normalMapType===cf,packedNormalMap:Dt&&y.normalMapType===cf&&MS(y.normalMap.format),metalnessMap:mn,roughnessMap:Kt,anisotropy:an,anisotropyMap:Xe,clearcoat:U,clearcoatMap:R,clearcoatNormalMap:v,clearcoatRoughnessMap:X,diffuseRoughness:Ce,diffuseRoughnessMap:he,dispersion:$e,retroreflection:rt,iridescence:Me,iridescenceMap:oe,iridescenceThicknessMap:_e,sheen:Ft,sheenColorMap:xe,sheenRoughnessMap:te,specularMap:ie,specularColorMap:pe,specularIntensityMap:F,transmission:ze,transmissionMap:re,thicknessMap:ne,gradientMap:we,opaque:y.transparent===!1&&y.blending===Io&&y.alphaToCoverage===!1,alphaMap:ge,alphaTest:be,alphaHash:Ge,combine:y.combine,mapUv:Ve&&f(y.map.channel),aoMapUv:qt&&f(y.aoMap.channel),lightMapUv:kt&&f(y.lightMap.channel),bumpMapUv:on&&f(y.bumpMap.channel),normalMapUv:Dt&&f(y.normalMap.channel),displacementMapUv:Mn&&f(y.displacementMap.channel),emissiveMapUv:xt&&f(y.emissiveMap.channel),metalnessMapUv:mn&&f(y.metalnessMap.channel),roughnessMapUv:Kt&&f(y.roughnessMap.channel),anisotropyMapUv:Xe&&f(y.anisotropyMap.channel),clearcoatMapUv:R&&f(y.clearcoatMap.channel),clearcoatNormalMapUv:v&&f(y.clearcoatNormalMap.channel),clearcoatRoughnessMapUv:X&&f(y.clearcoatRoughnessMap.channel),diffuseRoughnessMapUv:he&&f(y.diffuseRoughnessMap.channel),iridescenceMapUv:oe&&f(y.iridescenceMap.channel),iridescenceThicknessMapUv:_e&&f(y.iridescenceThicknessMap.channel),sheenColorMapUv:xe&&f(y.sheenColorMap.channel),sheenRoughnessMapUv:te&&f(y.sheenRoughnessMap.channel),specularMapUv:ie&&f(y.specularMap.channel),specularColorMapUv:pe&&f(y.specularColorMap.channel),specularIntensityMapUv:F&&f(y.specularIntensityMap.channel),transmissionMapUv:re&&f(y.transmissionMap.channel),thicknessMapUv:ne&&f(y.thicknessMap.channel),alphaMapUv:ge&&f(y.alphaMap.channel),vertexTangents:!!D.attributes.tangent&&(Dt||an),vertexNormals:!!D.attributes.normal,vertexColors:y.vertexColors,vertexAlphas:y.vertexColors===!0&&!!D.attributes.color&&D.attributes.color.itemSize===4,pointsUvs:L.isPoints===!0&&!!D.attributes.uv&&(Ve||ge),fog:!!W,useFog:y.fog===!0,fogExp2:!!W&&W.isFogExp2,flatShading:y.wireframe===!1&&(y.flatShading===!0||D.attributes.normal===void 0&&Dt===!1&&(y.isMeshLambertMaterial||y.isMeshPhongMaterial||y.isMeshStandardMaterial||y.isMeshPhysicalMaterial)),sizeAttenuation:y.sizeAttenuation===!0,logarithmicDepthBuffer:u,reversedDepthBuffer:Se,skinning:L.isSkinnedMesh===!0,hasPositionAttribute:D.attributes.position!==void 0,morphTargets:D.morphAttributes.position!==void 0,morphNormals:D.morphAttributes.normal!==void 0,morphColors:D.morphAttributes.color!==void 0,morphTargetsCount:se,morphTextureStride:de,numSunLights:E.sun.length,numDirLights:E.directional.length,numPointLights:E.point.length,numSpotLights:E.spot.length,numSpotLightMaps:E.spotLightMap.length,numRectAreaLights:E.rectArea.length,numHemiLights:E.hemi.length,numSunLightShadows:E.sunShadowMap.length,numDirLightShadows:E.directionalShadowMap.length,numPointLightShadows:E.pointShadowMap.length,numSpotLightShadows:E.spotShadowMap.length,numSpotLightShadowsWithMaps:E.numSpotLightShadowsWithMaps,numLightProbes:E.numLightProbes,numLightProbeGrids:H.filter(Re=>Re.texture!==null).length,numClippingPlanes:r.numPlanes,numClipIntersection:r.numIntersection,dithering:y.dithering,shadowMapEnabled:i.shadowMap.enabled&&z.length>0,shadowMapType:i.shadowMap.type,toneMapping:le,decodeVideoTexture:Ve&&y.map.isVideoTexture===!0&&pt.getTransfer(y.map.colorSpace)===Rt,decodeVideoTextureEmissive:xt&&y.emissiveMap.isVideoTexture===!0&&pt.getTransfer(y.emissiveMap.colorSpace)===Rt,premultipliedAlpha:y.premultipliedAlpha,doubleSided:y.side===ns,flipSided:y.side===ei,useDepthPacking:y.depthPacking>=0,depthPacking:y.depthPacking||0,index0AttributeName:y.index0AttributeName,extensionClipCullDistance:Ze&&y.extensions.clipCullDistance===!0&&t.has("WEBGL_clip_cull_distance"),extensionMultiDraw:(Ze&&y.extensions.multiDraw===!0||st)&&t.has("WEBGL_multi_draw"),rendererExtensionParallelShaderCompile:t.has("KHR_parallel_shader_compile"),customProgramCacheKey:y.customProgramCacheKey()};return Ke.vertexUv1s=l.has(1),Ke.vertexUv2s=l.has(2),Ke.vertexUv3s=l.has(3),l.clear(),Ke}function x(y){let E=[];if(y.shaderID?E.push(y.shaderID):(E.push(y.customVertexShaderID),E.push(y.customFragmentShaderID)),y.defines!==void 0)for(let z in y.defines)E.push(z),E.push(y.defines[z]);return y.isRawShaderMaterial===!1&&(g(E,y),p(E,y),E.push(i.outputColorSpace)),E.push(y.customProgramCacheKey),E.join()}function g(y,E){y.push(E.precision),y.push(E.outputColorSpace),y.push(E.envMapMode),y.push(E.envMapPMREM),y.push(E.envMapMaxLod),y.push(E.envMapSize),y.push(E.mapUv),y.push(E.alphaMapUv),y.push(E.lightMapUv),y.push(E.aoMapUv),y.push(E.bumpMapUv),y.push(E.normalMapUv),y.push(E.displacementMapUv),y.push(E.emissiveMapUv),y.push(E.metalnessMapUv),y.push(E.roughnessMapUv),y.push(E.anisotropyMapUv),y.push(E.clearcoatMapUv),y.push(E.clearcoatNormalMapUv),y.push(E.clearcoatRoughnessMapUv),y.push(E.diffuseRoughnessMapUv),y.push(E.iridescenceMapUv),y.push(E.iridescenceThicknessMapUv),y.push(E.sheenColorMapUv),y.push(E.sheenRoughnessMapUv),y.push(E.specularMapUv),y.push(E.specularColorMapUv),y.push(E.specularIntensityMapUv),y.push(E.transmissionMapUv),y.push(E.thicknessMapUv),y.push(E.combine),y.push(E.fogExp2),y.push(E.sizeAttenuation),y.push(E.morphTargetsCount),y.push(E.numSunLights),y.push(E.numDirLights),y.push(E.numPointLights),y.push(E.numSpotLights),y.push(E.numSpotLightMaps),y.push(E.numHemiLights),y.push(E.numRectAreaLights),y.push(E.numSunLightShadows),y.push(E.numDirLightShadows),y.push(E.numPointLightShadows),y.push(E.numSpotLightShadows),y.push(E.numSpotLightShadowsWithMaps),y.push(E.numLightProbes),y.push(E.numLightProbeGrids),y.push(E.shadowMapType),y.push(E.toneMapping),y.push(E.numClippingPlanes),y.push(E.numClipIntersection),y.push(E.depthPacking)}function p(y,E){o.disableAll(),E.instancing&&o.enable(0),E.instancingColor&&o.enable(1),E.instancingMorph&&o.enable(2),E.matcap&&o.enable(3),E.envMap&&o.enable(4),E.normalMapObjectSpace&&o.enable(5),E.normalMapTangentSpace&&o.enable(6),E.clearcoat&&o.enable(7),E.iridescence&&o.enable(8),E.alphaTest&&o.enable(9),E.vertexColors&&o.enable(10),E.vertexAlphas&&o.enable(11),E.vertexUv1s&&o.enable(12),E.vertexUv2s&&o.enable(13),E.vertexUv3s&&o.enable(14),E.vertexTangents&&o.enable(15),E.anisotropy&&o.enable(16),E.alphaHash&&o.enable(17),E.batching&&o.enable(18),E.dispersion&&o.enable(19),E.retroreflection&&o.enable(24),E.diffuseRoughness&&o.enable(25),E.batchingColor&&o.enable(20),E.gradientMap&&o.enable(21),E.packedNormalMap&&o.enable(22),E.vertexNormals&&o.enable(23),y.push(o.mask),o.disableAll(),E.fog&&o.enable(0),E.useFog&&o.enable(1),E.flatShading&&o.enable(2),E.logarithmicDepthBuffer&&o.enable(3),E.reversedDepthBuffer&&o.enable(4),E.skinning&&o.enable(5),E.morphTargets&&o.enable(6),E.morphNormals&&o.enable(7),E.morphColors&&o.enable(8),E.premultipliedAlpha&&o.enable(9),E.shadowMapEnabled&&o.enable(10),E.doubleSided&&o.enable(11),E.flipSided&&o.enable(12),E.useDepthPacking&&o.enable(13),E.dithering&&o.enable(14),E.transmission&&o.enable(15),E.sheen&&o.enable(16),E.opaque&&o.enable(17),E.pointsUvs&&o.enable(18),E.decodeVideoTexture&&o.enable(19),E.decodeVideoTextureEmissive&&o.enable(20),E.alphaToCoverage&&o.enable(21),E.numLightProbeGrids>0&&o.enable(22),E.hasPositionAttribute&&o.enable(23),y.push(o.mask)}function b(y){let E=d[y.type],z;if(E){let N=ti[E];z=qa.clone(N.uniforms)}else z=y.uniforms;return z}function A(y,E){let z=h.get(E);return z!==void 0?++z.usedTimes:(z=new bS(i,E,y,s),c.push(z),h.set(E,z)),z}function w(y){if(--y.usedTimes===0){let E=c.indexOf(y);c[E]=c[c.length-1],c.pop(),h.delete(y.cacheKey),y.destroy()}}function P(y){a.remove(y)}function T(){a.dispose()}return{getParameters:m,getProgramCacheKey:x,getUniforms:b,acquireProgram:A,releaseProgram:w,releaseShaderCache:P,programs:c,dispose:T}}function ES(){let i=new WeakMap;function e(o){return i.has(o)}function t(o){let a=i.get(o);return a===void 0&&(a={},i.set(o,a)),a}function n(o){i.delete(o)}function s(o,a,l){i.get(o)[a]=l}function r(){i=new WeakMap}return{has:e,get:t,remove:n,update:s,dispose:r}}function TS(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.material.id!==e.material.id?i.material.id-e.material.id:i.materialVariant!==e.materialVariant?i.materialVariant-e.materialVariant:i.z!==e.z?i.z-e.z:i.id-e.id}function U1(i,e){return i.groupOrder!==e.groupOrder?i.groupOrder-e.groupOrder:i.renderOrder!==e.renderOrder?i.renderOrder-e.renderOrder:i.z!==e.z?e.z-i.z:i.id-e.id}function O1(){let i=[],e=0,t=[],n=[],s=[];function r(){e=0,t.length=0,n.length=0,s.length=0}function o(d){let f=0;return d.isInstancedMesh&&(f+=2),d.isSkinnedMesh&&(f+=1),f}function a(d,f,m,x,g,p){let b=i[e];return b===void 0?(b={id:d.id,object:d,geometry:f,material:m,materialVariant:o(d),groupOrder:x,renderOrder:d.renderOrder,z:g,group:p},i[e]=b):(b.id=d.id,b.object=d,b.geometry=f,b.material=m,b.materialVariant=o(d),b.groupOrder=x,b.renderOrder=d.renderOrder,b.z=g,b.group=p),e++,b}function l(d,f,m,x,g,p,b){b.reversedDepth===!0&&(g=-g);let A=a(d,f,m,x,g,p);m.transmission>0?n.push(A):m.transparent===!0?s.push(A):t.push(A)}function c(d,f,m,x,g,p){let b=a(d,f,m,x,g,p);m.transmission>0?n.unshift(b):m.transparent===!0?s.unshift(b):t.unshift(b)}function h(d,f){t.length>1&&t.sort(d||TS),n.length>1&&n.sort(f||U1),s.length>1&&s.sort(f||U1)}function u(){for(let d=e,f=i.length;d<f;d++){let m=i[d];if(m.id===null)break;m.id=null,m.object=null,m.geometry=null,m.material=null,m.group=null}}return{opaque:t,transmissive:n,transparent:s,init:r,push:l,unshift:c,finish:u,sort:h}}function AS(){let i=new WeakMap;function e(n,s){let r=i.get(n),o;return r===void 0?(o=new O1,i.set(n,[o])):s>=r.length?(o=new O1,r.push(o)):o=r[s],o}function t(){i=new WeakMap}return{get:e,dispose:t}}function RS(){let i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={direction:new V,color:new Je};break;case"SpotLight":t={position:new V,direction:new V,color:new Je,distance:0,coneCos:0,penumbraCos:0,decay:0};break;case"PointLight":t={position:new V,color:new Je,distance:0,decay:0};break;case"HemisphereLight":t={direction:new V,skyColor:new Je,groundColor:new Je};break;case"RectAreaLight":t={color:new Je,position:new V,halfWidth:new V,halfHeight:new V};break}return i[e.id]=t,t}}}function CS(){let i={};return{get:function(e){if(i[e.id]!==void 0)return i[e.id];let t;switch(e.type){case"SunLight":case"DirectionalLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new et};break;case"SpotLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new et};break;case"PointLight":t={shadowIntensity:1,shadowBias:0,shadowNormalBias:0,shadowRadius:1,shadowMapSize:new et,shadowCameraNear:1,shadowCameraFar:1e3};break}return i[e.id]=t,t}}}var PS=0;function IS(i,e){return(e.castShadow?2:0)-(i.castShadow?2:0)+(e.map?1:0)-(i.map?1:0)}function LS(i){let e=new RS,t=CS(),n={version:0,hash:{sunLength:-1,directionalLength:-1,pointLength:-1,spotLength:-1,rectAreaLength:-1,hemiLength:-1,numSunShadows:-1,numDirectionalShadows:-1,numPointShadows:-1,numSpotShadows:-1,numSpotMaps:-1,numLightProbes:-1},ambient:[0,0,0],probe:[],sun:[],sunShadow:[],sunShadowMap:[],sunShadowMatrix:[],sunShadowCascade:[],directional:[],directionalShadow:[],directionalShadowMap:[],directionalShadowMatrix:[],spot:[],spotLightMap:[],spotShadow:[],spotShadowMap:[],spotLightMatrix:[],rectArea:[],rectAreaLTC1:null,rectAreaLTC2:null,point:[],pointShadow:[],pointShadowMap:[],pointShadowMatrix:[],hemi:[],numSpotLightShadowsWithMaps:0,numLightProbes:0};for(let c=0;c<9;c++)n.probe.push(new V);let s=new V,r=new Bt,o=new Bt;function a(c){let h=0,u=0,d=0;for(let H=0;H<9;H++)n.probe[H].set(0,0,0);let f=0,m=0,x=0,g=0,p=0,b=0,A=0,w=0,P=0,T=0,y=0,E=0,z=0,N=0;c.sort(IS);for(let H=0,W=c.length;H<W;H++){let D=c[H],G=D.color,K=D.intensity,B=D.distance,ce=null;if(D.shadow&&D.shadow.map&&(D.shadow.map.texture.format===er?ce=D.shadow.map.texture:ce=D.shadow.map.depthTexture||D.shadow.map.texture),D.isAmbientLight)h+=G.r*K,u+=G.g*K,d+=G.b*K;else if(D.isLightProbe){for(let J=0;J<9;J++)n.probe[J].addScaledVector(D.sh.coefficients[J],K);N++}else if(D.isSunLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize.copy(Q.mapSize).multiply(Q.getFrameExtents()),n.sunShadow[m]=se,n.sunShadowMap[m]=ce;let de=Q.getViewportCount();for(let ue=0;ue<de;ue++)n.sunShadowMatrix[x+ue]=Q.getMatrix(ue),n.sunShadowCascade[x+ue]=Q._cascadeData[ue];x+=de,m++}n.sun[f]=J,f++}else if(D.isDirectionalLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,n.directionalShadow[g]=se,n.directionalShadowMap[g]=ce,n.directionalShadowMatrix[g]=D.shadow.matrix,P++}n.directional[g]=J,g++}else if(D.isSpotLight){let J=e.get(D);J.position.setFromMatrixPosition(D.matrixWorld),J.color.copy(G).multiplyScalar(K),J.distance=B,J.coneCos=Math.cos(D.angle),J.penumbraCos=Math.cos(D.angle*(1-D.penumbra)),J.decay=D.decay,n.spot[b]=J;let Q=D.shadow;if(D.map&&(n.spotLightMap[E]=D.map,E++,Q.updateMatrices(D),D.castShadow&&z++),n.spotLightMatrix[b]=Q.matrix,D.castShadow){let se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,n.spotShadow[b]=se,n.spotShadowMap[b]=ce,y++}b++}else if(D.isRectAreaLight){let J=e.get(D);J.color.copy(G).multiplyScalar(K),J.halfWidth.set(D.width*.5,0,0),J.halfHeight.set(0,D.height*.5,0),n.rectArea[A]=J,A++}else if(D.isPointLight){let J=e.get(D);if(J.color.copy(D.color).multiplyScalar(D.intensity),J.distance=D.distance,J.decay=D.decay,D.castShadow){let Q=D.shadow,se=t.get(D);se.shadowIntensity=Q.intensity,se.shadowBias=Q.bias,se.shadowNormalBias=Q.normalBias,se.shadowRadius=Q.radius,se.shadowMapSize=Q.mapSize,se.shadowCameraNear=Q.camera.near,se.shadowCameraFar=Q.camera.far,n.pointShadow[p]=se,n.pointShadowMap[p]=ce,n.pointShadowMatrix[p]=D.shadow.matrix,T++}n.point[p]=J,p++}else if(D.isHemisphereLight){let J=e.get(D);J.skyColor.copy(D.color).multiplyScalar(K),J.groundColor.copy(D.groundColor).multiplyScalar(K),n.hemi[w]=J,w++}}A>0&&(i.has("OES_texture_float_linear")===!0?(n.rectAreaLTC1=Pe.LTC_FLOAT_1,n.rectAreaLTC2=Pe.LTC_FLOAT_2):(n.rectAreaLTC1=Pe.LTC_HALF_1,n.rectAreaLTC2=Pe.LTC_HALF_2)),n.ambient[0]=h,n.ambient[1]=u,n.ambient[2]=d;let L=n.hash;(L.sunLength!==f||L.directionalLength!==g||L.pointLength!==p||L.spotLength!==b||L.rectAreaLength!==A||L.hemiLength!==w||L.numSunShadows!==m||L.numDirectionalShadows!==P||L.numPointShadows!==T||L.numSpotShadows!==y||L.numSpotMaps!==E||L.numLightProbes!==N)&&(n.sun.length=f,n.directional.length=g,n.spot.length=b,n.rectArea.length=A,n.point.length=p,n.hemi.length=w,n.sunShadow.length=m,n.sunShadowMap.length=m,n.sunShadowMatrix.length=x,n.sunShadowCascade.length=x,n.directionalShadow.length=P,n.directionalShadowMap.length=P,n.directionalShadowMatrix.length=P,n.pointShadow.length=T,n.pointShadowMap.length=T,n.pointShadowMatrix.length=T,n.spotShadow.length=y,n.spotShadowMap.length=y,n.spotLightMatrix.length=y+E-z,n.spotLightMap.length=E,n.numSpotLightShadowsWithMaps=z,n.numLightProbes=N,L.sunLength=f,L.directionalLength=g,L.pointLength=p,L.spotLength=b,L.rectAreaLength=A,L.hemiLength=w,L.numSunShadows=m,L.numDirectionalShadows=P,L.numPointShadows=T,L.numSpotShadows=y,L.numSpotMaps=E,L.numLightProbes=N,n.version=PS++)}function l(c,h){let u=0,d=0,f=0,m=0,x=0,g=0,p=h.matrixWorldInverse;for(let b=0,A=c.length;b<A;b++){let w=c[b];if(w.isSunLight){let P=n.sun[u];P.direction.setFromMatrixPosition(w.matrixWorld),P.direction.transformDirection(p),u++}else if(w.isDirectionalLight){let P=n.directional[d];P.direction.setFromMatrixPosition(w.matrixWorld),s.setFromMatrixPosition(w.target.matrixWorld),P.direction.sub(s),P.direction.transformDirection(p),d++}else if(w.isSpotLight){let P=n.spot[m];P.position.setFromMatrixPosition(w.matrixWorld),P.position.applyMatrix4(p),P.direction.setFromMatrixPosition(w.matrixWorld),s.setFromMatrixPosition(w.target.matrixWorld),P.direction.sub(s),P.direction.transformDirection(p),m++}else if(w.isRectAreaLight){let P=n.rectArea[x];P.position.setFromMatrixPosition(w.matrixWorld),P.position.applyMatrix4(p),o.identity(),r.copy(w.matrixWorld),r.premultiply(p),o.extractRotation(r),P.halfWidth.set(w.width*.5,0,0),P.halfHeight.set(0,w.height*.5,0),P.halfWidth.applyMatrix4(o),P.halfHeight.applyMatrix4(o),x++}else if(w.isPointLight){let P=n.point[f];P.position.setFromMatrixPosition(w.matrixWorld),P.position.applyMatrix4(p),f++}else if(w.isHemisphereLight){let P=n.hemi[g];P.direction.setFromMatrixPosition(w.matrixWorld),P.direction.transformDirection(p),g++}}}return{setup:a,setupView:l,state:n}}function k1(i){let e=new LS(i),t=[],n=[],s=[];function r(u){h.camera=u,t.length=0,n.length=0,s.length=0}function o(u){u.isLightProbeGrid?s.push(u):t.push(u)}function a(u){n.push(u)}function l(){e.setup(t),s.sort((u,d)=>u.priority-d.priority||u.id-d.id)}function c(u){e.setupView(t,u)}let h={lightsArray:t,shadowsArray:n,lightProbeGridArray:s,camera:null,lights:e,transmissionRenderTarget:{},textureUnits:0};return{init:r,state:h,setupLights:l,setupLightsView:c,pushLight:o,pushShadow:a}}function DS(i){let e=new WeakMap;function t(s,r=0){let o=e.get(s),a;return o===void 0?(a=new k1(i),e.set(s,[a])):r>=o.length?(a=new k1(i),o.push(a)):a=o[r],a}function n(){e=new WeakMap}return{get:t,dispose:n}}var NS=`void main() {
	gl_Position = vec4( position, 1.0 );
}`,FS=`uniform sampler2D shadow_pass;
uniform vec2 resolution;
uniform float radius;
void main() {
	const float samples = float( VSM_SAMPLES );
	float mean = 0.0;
	float squared_mean = 0.0;
	float uvStride = samples <= 1.0 ? 0.0 : 2.0 / ( samples - 1.0 );
	float uvStart = samples <= 1.0 ? 0.0 : - 1.0;
	for ( float i = 0.0; i < samples; i ++ ) {
		float uvOffset = uvStart + i * uvStride;
		#ifdef HORIZONTAL_PASS
			vec2 distribution = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( uvOffset, 0.0 ) * radius ) / resolution ).rg;
			mean += distribution.x;
			squared_mean += distribution.y * distribution.y + distribution.x * distribution.x;
		#else
			float depth = texture2D( shadow_pass, ( gl_FragCoord.xy + vec2( 0.0, uvOffset ) * radius ) / resolution ).r;
			mean += depth;
			squared_mean += depth * depth;
		#endif
	}
	mean = mean / samples;
	squared_mean = squared_mean / samples;
	float std_dev = sqrt( max( 0.0, squared_mean - mean * mean ) );
	gl_FragColor = vec4( mean, std_dev, 0.0, 1.0 );
}`,US=[new V(1,0,0),new V(-1,0,0),new V(0,1,0),new V(0,-1,0),new V(0,0,1),new V(0,0,-1)],OS=[new V(0,-1,0),new V(0,-1,0),new V(0,0,1),new V(0,0,-1),new V(0,-1,0),new V(0,-1,0)],B1=new Bt,$a=new V,wf=new V;function kS(i,e,t){let n=new Mr,s=new et,r=new et,o=new Lt,a=new Oc,l=new kc,c={},h=t.maxTextureSize,u={[Qs]:ei,[ei]:Qs,[ns]:ns},d=new Vn({defines:{VSM_SAMPLES:8},uniforms:{shadow_pass:{value:null},resolution:{value:new et},radius:{value:4}},vertexShader:NS,fragmentShader:FS}),f=d.clone();f.defines.HORIZONTAL_PASS=1;let m=new tn;m.setAttribute("position",new Nn(new Float32Array([-1,-1,.5,3,-1,.5,-1,3,.5]),3));let x=new si(m,d),g=this;this.enabled=!1,this.autoUpdate=!0,this.needsUpdate=!1,this.type=Oa;let p=this.type;this.render=function(T,y,E){if(g.enabled===!1||g.autoUpdate===!1&&g.needsUpdate===!1||T.length===0)return;this.type===U0&&(qe("WebGLShadowMap: PCFSoftShadowMap has been removed. Using PCFShadowMap instead."),this.type=Oa);let z=i.getRenderTarget(),N=i.getActiveCubeFace(),L=i.getActiveMipmapLevel(),H=i.state;H.setBlending(wr),H.buffers.depth.getReversed()===!0?H.buffers.color.setClear(0,0,0,0):H.buffers.color.setClear(1,1,1,1),H.buffers.depth.setTest(!0),H.setScissorTest(!1);let W=p!==this.type;W&&y.traverse(function(D){D.material&&(Array.isArray(D.material)?D.material.forEach(G=>G.needsUpdate=!0):D.material.needsUpdate=!0)});for(let D=0,G=T.length;D<G;D++){let K=T[D],B=K.shadow;if(B===void 0){qe("WebGLShadowMap:",K,"has no shadow.");continue}if(B.autoUpdate===!1&&B.needsUpdate===!1)continue;s.copy(B.mapSize);let ce=B.getFrameExtents();s.multiply(ce),r.copy(B.mapSize),(s.x>h||s.y>h)&&(s.x>h&&(r.x=Math.floor(h/ce.x),s.x=r.x*ce.x,B.mapSize.x=r.x),s.y>h&&(r.y=Math.floor(h/ce.y),s.y=r.y*ce.y,B.mapSize.y=r.y));let J=i.state.buffers.depth.getReversed();if(B.camera._reversedDepth=J,B.map===null||W===!0){if(B.map!==null&&(B.map.depthTexture!==null&&(B.map.depthTexture.dispose(),B.map.depthTexture=null),B.map.dispose()),this.type===Po){if(K.isPointLight){qe("WebGLShadowMap: VSM shadow maps are not supported for PointLights. Use PCF or BasicShadowMap instead.");continue}B.map=new yi(s.x,s.y,{format:er,type:Gi,minFilter:jn,magFilter:jn,generateMipmaps:!1}),B.map.texture.name=K.name+".shadowMap",B.map.depthTexture=new Es(s.x,s.y,Vi),B.map.depthTexture.name=K.name+".shadowMapDepth",B.map.depthTexture.format=Ms,B.map.depthTexture.compareFunction=null,B.map.depthTexture.minFilter=Cn,B.map.depthTexture.magFilter=Cn}else K.isPointLight?(B.map=new Za(s.x),B.map.depthTexture=new Aa(s.x,zi)):(B.map=new yi(s.x,s.y),B.map.depthTexture=new Es(s.x,s.y,zi)),B.map.depthTexture.name=K.name+".shadowMap",B.map.depthTexture.format=Ms,this.type===Oa?(B.map.depthTexture.compareFunction=J?uf:hf,B.map.depthTexture.minFilter=jn,B.map.depthTexture.magFilter=jn):(B.map.depthTexture.compareFunction=null,B.map.depthTexture.minFilter=Cn,B.map.depthTexture.magFilter=Cn);B.camera.updateProjectionMatrix()}B.map.isWebGLCubeRenderTarget!==!0&&(B.map.width!==s.x||B.map.height!==s.y)&&B.map.setSize(s.x,s.y);let Q=B.map.isWebGLCubeRenderTarget?6:B.getViewportCount();K.isPointLight!==!0&&B.updateMatrices(K,E);let se=(B.camera.layers.mask&4294967294)!==0?B.camera.layers:E.layers;for(let de=0;de<Q;de++){let ue=B.getCamera(de);if(K.isPointLight){let ee=B.camera,me=B.matrix,ye=K.distance||ee.far;ye!==ee.far&&(ee.far=ye,ee.updateProjectionMatrix()),$a.setFromMatrixPosition(K.matrixWorld),ee.position.copy($a),wf.copy(ee.position),wf.add(US[de]),ee.up.copy(OS[de]),ee.lookAt(wf),ee.updateMatrixWorld(),me.makeTranslation(-$a.x,-$a.y,-$a.z),B1.multiplyMatrices(ee.projectionMatrix,ee.matrixWorldInverse),B._frustum.setFromProjectionMatrix(B1,ee.coordinateSystem,ee.reversedDepth)}if(B.map.isWebGLCubeRenderTarget)i.setRenderTarget(B.map,de),i.clear();else{de===0&&(i.setRenderTarget(B.map),i.clear());let ee=B.getViewport(de);o.set(r.x*ee.x,r.y*ee.y,r.x*ee.z,r.y*ee.w),H.viewport(o)}n=B.getFrustum(de),w(y,E,ue,K,se,this.type)}B.isPointLightShadow!==!0&&this.type===Po&&b(B,E),B.needsUpdate=!1}p=this.type,g.needsUpdate=!1,i.setRenderTarget(z,N,L)};function b(T,y){let E=e.update(x);d.defines.VSM_SAMPLES!==T.blurSamples&&(d.defines.VSM_SAMPLES=T.blurSamples,f.defines.VSM_SAMPLES=T.blurSamples,d.needsUpdate=!0,f.needsUpdate=!0),T.mapPass===null?T.mapPass=new yi(s.x,s.y,{format:er,type:Gi}):(T.mapPass.width!==T.map.width||T.mapPass.height!==T.map.height)&&T.mapPass.setSize(T.map.width,T.map.height),d.uniforms.shadow_pass.value=T.map.depthTexture,d.uniforms.resolution.value.set(T.map.width,T.map.height),d.uniforms.radius.value=T.radius,i.setRenderTarget(T.mapPass),i.clear(),i.renderBufferDirect(y,null,E,d,x,null),f.uniforms.shadow_pass.value=T.mapPass.texture,f.uniforms.resolution.value.set(T.map.width,T.map.height),f.uniforms.radius.value=T.radius,i.setRenderTarget(T.map),i.clear(),i.renderBufferDirect(y,null,E,f,x,null)}function A(T,y,E,z){let N=null,L=E.isPointLight===!0?T.customDistanceMaterial:T.customDepthMaterial;if(L!==void 0)N=L;else if(N=E.isPointLight===!0?l:a,i.localClippingEnabled&&y.clipShadows===!0&&Array.isArray(y.clippingPlanes)&&y.clippingPlanes.length!==0||y.displacementMap&&y.displacementScale!==0||y.alphaMap&&y.alphaTest>0||y.map&&y.alphaTest>0||y.alphaToCoverage===!0){let H=N.uuid,W=y.uuid,D=c[H];D===void 0&&(D={},c[H]=D);let G=D[W];G===void 0&&(G=N.clone(),D[W]=G,y.addEventListener("dispose",P)),N=G}if(N.visible=y.visible,N.wireframe=y.wireframe,z===Po?N.side=y.shadowSide!==null?y.shadowSide:y.side:N.side=y.shadowSide!==null?y.shadowSide:u[y.side],N.alphaMap=y.alphaMap,N.alphaTest=y.alphaToCoverage===!0?.5:y.alphaTest,N.map=y.map,N.clipShadows=y.clipShadows,N.clippingPlanes=y.clippingPlanes,N.clipIntersection=y.clipIntersection,N.displacementMap=y.displacementMap,N.displacementScale=y.displacementScale,N.displacementBias=y.displacementBias,N.wireframeLinewidth=y.wireframeLinewidth,N.linewidth=y.linewidth,E.isPointLight===!0&&N.isMeshDistanceMaterial===!0){let H=i.properties.get(N);H.light=E}return N}function w(T,y,E,z,N,L){if(T.visible===!1)return;if(T.layers.test(N)&&(T.isMesh||T.isLine||T.isPoints)&&(T.castShadow||T.receiveShadow&&L===Po)&&(!T.frustumCulled||T.intersectsFrustum(n))){T.modelViewMatrix.multiplyMatrices(E.matrixWorldInverse,T.matrixWorld);let D=e.update(T),G=T.material;if(Array.isArray(G)){let K=D.groups;for(let B=0,ce=K.length;B<ce;B++){let J=K[B],Q=G[J.materialIndex];if(Q&&Q.visible){let se=A(T,Q,z,L);T.onBeforeShadow(i,T,y,E,D,se,J),i.renderBufferDirect(E,null,D,se,T,J),T.onAfterShadow(i,T,y,E,D,se,J)}}}else if(G.visible){let K=A(T,G,z,L);T.onBeforeShadow(i,T,y,E,D,K,null),i.renderBufferDirect(E,null,D,K,T,null),T.onAfterShadow(i,T,y,E,D,K,null)}}let W=T.children;for(let D=0,G=W.length;D<G;D++)w(W[D],y,E,z,N,L)}function P(T){T.target.removeEventListener("dispose",P);for(let E in c){let z=c[E],N=T.target.uuid;N in z&&(z[N].dispose(),delete z[N])}}}function BS(i,e){function t(){let F=!1,re=new Lt,ne=null,we=new Lt(0,0,0,0);return{setMask:function(ge){ne!==ge&&!F&&(i.colorMask(ge,ge,ge,ge),ne=ge)},setLocked:function(ge){F=ge},setClear:function(ge,be,Ge,Ze,le){le===!0&&(ge*=Ze,be*=Ze,Ge*=Ze),re.set(ge,be,Ge,Ze),we.equals(re)===!1&&(i.clearColor(ge,be,Ge,Ze),we.copy(re))},reset:function(){F=!1,ne=null,we.set(-1,0,0,0)}}}function n(){let F=!1,re=!1,ne=null,we=null,ge=null;return{setReversed:function(be){if(re!==be){let Ge=e.get("EXT_clip_control");be?Ge.clipControlEXT(Ge.LOWER_LEFT_EXT,Ge.ZERO_TO_ONE_EXT):Ge.clipControlEXT(Ge.LOWER_LEFT_EXT,Ge.NEGATIVE_ONE_TO_ONE_EXT),re=be;let Ze=ge;ge=null,this.setClear(Ze)}},getReversed:function(){return re},setTest:function(be){be?Se(i.DEPTH_TEST):He(i.DEPTH_TEST)},setMask:function(be){ne!==be&&!F&&(i.depthMask(be),ne=be)},setFunc:function(be){if(re&&(be=m1[be]),we!==be){switch(be){case mc:i.depthFunc(i.NEVER);break;case gc:i.depthFunc(i.ALWAYS);break;case _c:i.depthFunc(i.LESS);break;case xo:i.depthFunc(i.LEQUAL);break;case yc:i.depthFunc(i.EQUAL);break;case xc:i.depthFunc(i.GEQUAL);break;case vc:i.depthFunc(i.GREATER);break;case bc:i.depthFunc(i.NOTEQUAL);break;default:i.depthFunc(i.LEQUAL)}we=be}},setLocked:function(be){F=be},setClear:function(be){ge!==be&&(ge=be,re&&(be=1-be),i.clearDepth(be))},reset:function(){F=!1,ne=null,we=null,ge=null,re=!1}}}function s(){let F=!1,re=null,ne=null,we=null,ge=null,be=null,Ge=null,Ze=null,le=null;return{setTest:function(Oe){F||(Oe?Se(i.STENCIL_TEST):He(i.STENCIL_TEST))},setMask:function(Oe){re!==Oe&&!F&&(i.stencilMask(Oe),re=Oe)},setFunc:function(Oe,Ke,Re){(ne!==Oe||we!==Ke||ge!==Re)&&(i.stencilFunc(Oe,Ke,Re),ne=Oe,we=Ke,ge=Re)},setOp:function(Oe,Ke,Re){(be!==Oe||Ge!==Ke||Ze!==Re)&&(i.stencilOp(Oe,Ke,Re),be=Oe,Ge=Ke,Ze=Re)},setLocked:function(Oe){F=Oe},setClear:function(Oe){le!==Oe&&(i.clearStencil(Oe),le=Oe)},reset:function(){F=!1,re=null,ne=null,we=null,ge=null,be=null,Ge=null,Ze=null,le=null}}}let r=new t,o=new n,a=new s,l={},c=new WeakMap,h={},u={},d={},f=new WeakMap,m=[],x=null,g=!1,p=null,b=null,A=null,w=null,P=null,T=null,y=null,E=new Je(0,0,0),z=0,N=!1,L=null,H=null,W=null,D=null,G=null,K=i.getParameter(i.MAX_COMBINED_TEXTURE_IMAGE_UNITS),B=!1,ce=0,J=i.getParameter(i.VERSION);J.indexOf("WebGL")!==-1?(ce=parseFloat(/^WebGL (\d)/.exec(J)[1]),B=ce>=1):J.indexOf("OpenGL ES")!==-1&&(ce=parseFloat(/^OpenGL ES (\d)/.exec(J)[1]),B=ce>=2);let Q=null,se={},de=i.getParameter(i.SCISSOR_BOX),ue=i.getParameter(i.VIEWPORT),ee=new Lt().fromArray(de),me=new Lt().fromArray(ue);function ye(F,re,ne,we){let ge=new Uint8Array(4),be=i.createTexture();i.bindTexture(F,be),i.texParameteri(F,i.TEXTURE_MIN_FILTER,i.NEAREST),i.texParameteri(F,i.TEXTURE_MAG_FILTER,i.NEAREST);for(let Ge=0;Ge<ne;Ge++)F===i.TEXTURE_3D||F===i.TEXTURE_2D_ARRAY?i.texImage3D(re,0,i.RGBA,1,1,we,0,i.RGBA,i.UNSIGNED_BYTE,ge):i.texImage2D(re+Ge,0,i.RGBA,1,1,0,i.RGBA,i.UNSIGNED_BYTE,ge);return be}let Ae={};Ae[i.TEXTURE_2D]=ye(i.TEXTURE_2D,i.TEXTURE_2D,1),Ae[i.TEXTURE_CUBE_MAP]=ye(i.TEXTURE_CUBE_MAP,i.TEXTURE_CUBE_MAP_POSITIVE_X,6),Ae[i.TEXTURE_2D_ARRAY]=ye(i.TEXTURE_2D_ARRAY,i.TEXTURE_2D_ARRAY,1,1),Ae[i.TEXTURE_3D]=ye(i.TEXTURE_3D,i.TEXTURE_3D,1,1),r.setClear(0,0,0,1),o.setClear(1),a.setClear(0),Se(i.DEPTH_TEST),o.setFunc(xo),on(!1),Dt(zd),Se(i.CULL_FACE),qt(wr);function Se(F){h[F]!==!0&&(i.enable(F),h[F]=!0)}function He(F){h[F]!==!1&&(i.disable(F),h[F]=!1)}function st(F,re){return d[F]!==re?(i.bindFramebuffer(F,re),d[F]=re,F===i.DRAW_FRAMEBUFFER&&(d[i.FRAMEBUFFER]=re),F===i.FRAMEBUFFER&&(d[i.DRAW_FRAMEBUFFER]=re),!0):!1}function Ve(F,re){let ne=m,we=!1;if(F){ne=f.get(re),ne===void 0&&(ne=[],f.set(re,ne));let ge=F.textures;if(ne.length!==ge.length||ne[0]!==i.COLOR_ATTACHMENT0){for(let be=0,Ge=ge.length;be<Ge;be++)ne[be]=i.COLOR_ATTACHMENT0+be;ne.length=ge.length,we=!0}}else ne[0]!==i.BACK&&(ne[0]=i.BACK,we=!0);we&&i.drawBuffers(ne)}function ut(F){return x!==F?(i.useProgram(F),x=F,!0):!1}let lt={[Er]:i.FUNC_ADD,[k0]:i.FUNC_SUBTRACT,[B0]:i.FUNC_REVERSE_SUBTRACT};lt[z0]=i.MIN,lt[V0]=i.MAX;let nt={[G0]:i.ZERO,[H0]:i.ONE,[W0]:i.SRC_COLOR,[Wd]:i.SRC_ALPHA,[K0]:i.SRC_ALPHA_SATURATE,[Y0]:i.DST_COLOR,[q0]:i.DST_ALPHA,[X0]:i.ONE_MINUS_SRC_COLOR,[Xd]:i.ONE_MINUS_SRC_ALPHA,[Z0]:i.ONE_MINUS_DST_COLOR,[$0]:i.ONE_MINUS_DST_ALPHA,[J0]:i.CONSTANT_COLOR,[j0]:i.ONE_MINUS_CONSTANT_COLOR,[Q0]:i.CONSTANT_ALPHA,[e1]:i.ONE_MINUS_CONSTANT_ALPHA};function qt(F,re,ne,we,ge,be,Ge,Ze,le,Oe){if(F===wr){g===!0&&(He(i.BLEND),g=!1);return}if(g===!1&&(Se(i.BLEND),g=!0),F!==O0){if(F!==p||Oe!==N){if((b!==Er||P!==Er)&&(i.blendEquation(i.FUNC_ADD),b=Er,P=Er),Oe)switch(F){case Io:i.blendFuncSeparate(i.ONE,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Vd:i.blendFunc(i.ONE,i.ONE);break;case Gd:i.blendFuncSeparate(i.ZERO,i.ONE_MINUS_SRC_COLOR,i.ZERO,i.ONE);break;case Hd:i.blendFuncSeparate(i.DST_COLOR,i.ONE_MINUS_SRC_ALPHA,i.ZERO,i.ONE);break;default:Qe("WebGLState: Invalid blending: ",F);break}else switch(F){case Io:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE_MINUS_SRC_ALPHA,i.ONE,i.ONE_MINUS_SRC_ALPHA);break;case Vd:i.blendFuncSeparate(i.SRC_ALPHA,i.ONE,i.ONE,i.ONE);break;case Gd:Qe("WebGLState: SubtractiveBlending requires material.premultipliedAlpha = true");break;case Hd:Qe("WebGLState: MultiplyBlending requires material.premultipliedAlpha = true");break;default:Qe("WebGLState: Invalid blending: ",F);break}A=null,w=null,T=null,y=null,E.set(0,0,0),z=0,p=F,N=Oe}return}ge=ge||re,be=be||ne,Ge=Ge||we,(re!==b||ge!==P)&&(i.blendEquationSeparate(lt[re],lt[ge]),b=re,P=ge),(ne!==A||we!==w||be!==T||Ge!==y)&&(i.blendFuncSeparate(nt[ne],nt[we],nt[be],nt[Ge]),A=ne,w=we,T=be,y=Ge),(Ze.equals(E)===!1||le!==z)&&(i.blendColor(Ze.r,Ze.g,Ze.b,le),E.copy(Ze),z=le),p=F,N=!1}function kt(F,re){F.side===ns?He(i.CULL_FACE):Se(i.CULL_FACE);let ne=F.side===ei;re&&(ne=!ne),on(ne),F.blending===Io&&F.transparent===!1?qt(wr):qt(F.blending,F.blendEquation,F.blendSrc,F.blendDst,F.blendEquationAlpha,F.blendSrcAlpha,F.blendDstAlpha,F.blendColor,F.blendAlpha,F.premultipliedAlpha),o.setFunc(F.depthFunc),o.setTest(F.depthTest),o.setMask(F.depthWrite),r.setMask(F.colorWrite);let we=F.stencilWrite;a.setTest(we),we&&(a.setMask(F.stencilWriteMask),a.setFunc(F.stencilFunc,F.stencilRef,F.stencilFuncMask),a.setOp(F.stencilFail,F.stencilZFail,F.stencilZPass)),xt(F.polygonOffset,F.polygonOffsetFactor,F.polygonOffsetUnits),F.alphaToCoverage===!0?Se(i.SAMPLE_ALPHA_TO_COVERAGE):He(i.SAMPLE_ALPHA_TO_COVERAGE)}function on(F){L!==F&&(F?i.frontFace(i.CW):i.frontFace(i.CCW),L=F)}function Dt(F){F!==N0?(Se(i.CULL_FACE),F!==H&&(F===zd?i.cullFace(i.BACK):F===F0?i.cullFace(i.FRONT):i.cullFace(i.FRONT_AND_BACK))):He(i.CULL_FACE),H=F}function Mn(F){F!==W&&(B&&i.lineWidth(F),W=F)}function xt(F,re,ne){F?(Se(i.POLYGON_OFFSET_FILL),(D!==re||G!==ne)&&(D=re,G=ne,o.getReversed()&&(re=-re,ne=-ne),i.polygonOffset(re,ne))):He(i.POLYGON_OFFSET_FILL)}function mn(F){F?Se(i.SCISSOR_TEST):He(i.SCISSOR_TEST)}function Kt(F){F===void 0&&(F=i.TEXTURE0+K-1),Q!==F&&(i.activeTexture(F),Q=F)}function an(F,re,ne){ne===void 0&&(Q===null?ne=i.TEXTURE0+K-1:ne=Q);let we=se[ne];we===void 0&&(we={type:void 0,texture:void 0},se[ne]=we),(we.type!==F||we.texture!==re)&&(Q!==ne&&(i.activeTexture(ne),Q=ne),i.bindTexture(F,re||Ae[F]),we.type=F,we.texture=re)}function U(){let F=se[Q];F!==void 0&&F.type!==void 0&&(i.bindTexture(F.type,null),F.type=void 0,F.texture=void 0)}function Ce(){try{i.compressedTexImage2D(...arguments)}catch(F){Qe("WebGLState:",F)}}function $e(){try{i.compressedTexImage3D(...arguments)}catch(F){Qe("WebGLState:",F)}}function rt(){try{i.texSubImage2D(...arguments)}catch(F){Qe("WebGLState:",F)}}function Me(){try{i.texSubImage3D(...arguments)}catch(F){Qe("WebGLState:",F)}}function Ft(){try{i.compressedTexSubImage2D(...arguments)}catch(F){Qe("WebGLState:",F)}}function ze(){try{i.compressedTexSubImage3D(...arguments)}catch(F){Qe("WebGLState:",F)}}function Xe(){try{i.texStorage2D(...arguments)}catch(F){Qe("WebGLState:",F)}}function R(){try{i.texStorage3D(...arguments)}catch(F){Qe("WebGLState:",F)}}function v(){try{i.texImage2D(...arguments)}catch(F){Qe("WebGLState:",F)}}function X(){try{i.texImage3D(...arguments)}catch(F){Qe("WebGLState:",F)}}function he(F){return u[F]!==void 0?u[F]:i.getParameter(F)}function oe(F,re){u[F]!==re&&(i.pixelStorei(F,re),u[F]=re)}function _e(F){ee.equals(F)===!1&&(i.scissor(F.x,F.y,F.z,F.w),ee.copy(F))}function xe(F){me.equals(F)===!1&&(i.viewport(F.x,F.y,F.z,F.w),me.copy(F))}function te(F,re){let ne=c.get(re);ne===void 0&&(ne=new WeakMap,c.set(re,ne));let we=ne.get(F);we===void 0&&(we=i.getUniformBlockIndex(re,F.name),i.uniformBlockBinding(re,we,we),ne.set(F,we))}function ie(F,re,ne){let ge=c.get(re).get(F);l[ge]!==ne&&(i.bindBufferBase(i.UNIFORM_BUFFER,ge,ne),l[ge]=ne)}function pe(){i.disable(i.BLEND),i.disable(i.CULL_FACE),i.disable(i.DEPTH_TEST),i.disable(i.POLYGON_OFFSET_FILL),i.disable(i.SCISSOR_TEST),i.disable(i.STENCIL_TEST),i.disable(i.SAMPLE_ALPHA_TO_COVERAGE),i.blendEquation(i.FUNC_ADD),i.blendFunc(i.ONE,i.ZERO),i.blendFuncSeparate(i.ONE,i.ZERO,i.ONE,i.ZERO),i.blendColor(0,0,0,0),i.colorMask(!0,!0,!0,!0),i.clearColor(0,0,0,0),i.depthMask(!0),i.depthFunc(i.LESS),o.setReversed(!1),i.clearDepth(1),i.stencilMask(4294967295),i.stencilFunc(i.ALWAYS,0,4294967295),i.stencilOp(i.KEEP,i.KEEP,i.KEEP),i.clearStencil(0),i.cullFace(i.BACK),i.frontFace(i.CCW),i.polygonOffset(0,0),i.activeTexture(i.TEXTURE0),i.bindFramebuffer(i.FRAMEBUFFER,null),i.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),i.bindFramebuffer(i.READ_FRAMEBUFFER,null),i.useProgram(null),i.lineWidth(1),i.scissor(0,0,i.canvas.width,i.canvas.height),i.viewport(0,0,i.canvas.width,i.canvas.height),i.pixelStorei(i.PACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_ALIGNMENT,4),i.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,!1),i.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,!1),i.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,i.BROWSER_DEFAULT_WEBGL),i.pixelStorei(i.PACK_ROW_LENGTH,0),i.pixelStorei(i.PACK_SKIP_PIXELS,0),i.pixelStorei(i.PACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_ROW_LENGTH,0),i.pixelStorei(i.UNPACK_IMAGE_HEIGHT,0),i.pixelStorei(i.UNPACK_SKIP_PIXELS,0),i.pixelStorei(i.UNPACK_SKIP_ROWS,0),i.pixelStorei(i.UNPACK_SKIP_IMAGES,0),h={},u={},Q=null,se={},d={},l={},f=new WeakMap,m=[],x=null,g=!1,p=null,b=null,A=null,w=null,P=null,T=null,y=null,E=new Je(0,0,0),z=0,N=!1,L=null,H=null,W=null,D=null,G=null,ee.set(0,0,i.canvas.width,i.canvas.height),me.set(0,0,i.canvas.width,i.canvas.height),r.reset(),o.reset(),a.reset()}return{buffers:{color:r,depth:o,stencil:a},enable:Se,disable:He,bindFramebuffer:st,drawBuffers:Ve,useProgram:ut,setBlending:qt,setMaterial:kt,setFlipSided:on,setCullFace:Dt,setLineWidth:Mn,setPolygonOffset:xt,setScissorTest:mn,activeTexture:Kt,bindTexture:an,unbindTexture:U,compressedTexImage2D:Ce,compressedTexImage3D:$e,texImage2D:v,texImage3D:X,pixelStorei:oe,getParameter:he,updateUBOMapping:te,uniformBlockBinding:ie,texStorage2D:Xe,texStorage3D:R,texSubImage2D:rt,texSubImage3D:Me,compressedTexSubImage2D:Ft,compressedTexSubImage3D:ze,scissor:_e,viewport:xe,reset:pe}}function zS(i,e,t,n,s,r,o){let a=e.has("WEBGL_multisampled_render_to_texture")?e.get("WEBGL_multisampled_render_to_texture"):null,l=typeof navigator>"u"?!1:/OculusBrowser/g.test(navigator.userAgent),c=new et,h=new WeakMap,u=new Set,d,f=new WeakMap,m=new Set,x=new FinalizationRegistry(R=>m.delete(R)),g=!1;try{g=typeof OffscreenCanvas<"u"&&new OffscreenCanvas(1,1).getContext("2d")!==null}catch{}function p(R,v){return g?new OffscreenCanvas(R,v):ya("canvas")}function b(R,v,X){let he=1,oe=Xe(R);if((oe.width>X||oe.height>X)&&(he=X/Math.max(oe.width,oe.height)),he<1)if(typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement||typeof HTMLCanvasElement<"u"&&R instanceof HTMLCanvasElement||typeof ImageBitmap<"u"&&R instanceof ImageBitmap||typeof VideoFrame<"u"&&R instanceof VideoFrame){let _e=Math.floor(he*oe.width),xe=Math.floor(he*oe.height);d===void 0&&(d=p(_e,xe));let te=v?p(_e,xe):d;return te.width=_e,te.height=xe,te.getContext("2d").drawImage(R,0,0,_e,xe),qe("WebGLRenderer: Texture has been resized from ("+oe.width+"x"+oe.height+") to ("+_e+"x"+xe+")."),te}else return"data"in R&&qe("WebGLRenderer: Image in DataTexture is too big ("+oe.width+"x"+oe.height+")."),R;return R}function A(R){return R.generateMipmaps}function w(R){i.generateMipmap(R)}function P(R){return R.isWebGLCubeRenderTarget?i.TEXTURE_CUBE_MAP:R.isWebGL3DRenderTarget?i.TEXTURE_3D:R.isWebGLArrayRenderTarget||R.isCompressedArrayTexture?i.TEXTURE_2D_ARRAY:i.TEXTURE_2D}function T(R,v,X,he,oe,_e=!1){if(R!==null){if(i[R]!==void 0)return i[R];qe("WebGLRenderer: Attempt to use non-existing WebGL internal format '"+R+"'")}let xe;he&&(xe=e.get("EXT_texture_norm16"),xe||qe("WebGLRenderer: Unable to use normalized textures without EXT_texture_norm16 extension"));let te=v;if(v===i.RED&&(X===i.FLOAT&&(te=i.R32F),X===i.HALF_FLOAT&&(te=i.R16F),X===i.UNSIGNED_BYTE&&(te=i.R8),X===i.UNSIGNED_SHORT&&xe&&(te=xe.R16_EXT),X===i.SHORT&&xe&&(te=xe.R16_SNORM_EXT)),v===i.RED_INTEGER&&(X===i.UNSIGNED_BYTE&&(te=i.R8UI),X===i.UNSIGNED_SHORT&&(te=i.R16UI),X===i.UNSIGNED_INT&&(te=i.R32UI),X===i.BYTE&&(te=i.R8I),X===i.SHORT&&(te=i.R16I),X===i.INT&&(te=i.R32I)),v===i.RG&&(X===i.FLOAT&&(te=i.RG32F),X===i.HALF_FLOAT&&(te=i.RG16F),X===i.UNSIGNED_BYTE&&(te=i.RG8),X===i.UNSIGNED_SHORT&&xe&&(te=xe.RG16_EXT),X===i.SHORT&&xe&&(te=xe.RG16_SNORM_EXT)),v===i.RG_INTEGER&&(X===i.UNSIGNED_BYTE&&(te=i.RG8UI),X===i.UNSIGNED_SHORT&&(te=i.RG16UI),X===i.UNSIGNED_INT&&(te=i.RG32UI),X===i.BYTE&&(te=i.RG8I),X===i.SHORT&&(te=i.RG16I),X===i.INT&&(te=i.RG32I)),v===i.RGB_INTEGER&&(X===i.UNSIGNED_BYTE&&(te=i.RGB8UI),X===i.UNSIGNED_SHORT&&(te=i.RGB16UI),X===i.UNSIGNED_INT&&(te=i.RGB32UI),X===i.BYTE&&(te=i.RGB8I),X===i.SHORT&&(te=i.RGB16I),X===i.INT&&(te=i.RGB32I)),v===i.RGBA_INTEGER&&(X===i.UNSIGNED_BYTE&&(te=i.RGBA8UI),X===i.UNSIGNED_SHORT&&(te=i.RGBA16UI),X===i.UNSIGNED_INT&&(te=i.RGBA32UI),X===i.BYTE&&(te=i.RGBA8I),X===i.SHORT&&(te=i.RGBA16I),X===i.INT&&(te=i.RGBA32I)),v===i.RGB&&(X===i.UNSIGNED_SHORT&&xe&&(te=xe.RGB16_EXT),X===i.SHORT&&xe&&(te=xe.RGB16_SNORM_EXT),X===i.UNSIGNED_INT_5_9_9_9_REV&&(te=i.RGB9_E5),X===i.UNSIGNED_INT_10F_11F_11F_REV&&(te=i.R11F_G11F_B10F)),v===i.RGBA){let ie=_e?ga:pt.getTransfer(oe);X===i.FLOAT&&(te=i.RGBA32F),X===i.HALF_FLOAT&&(te=i.RGBA16F),X===i.UNSIGNED_BYTE&&(te=ie===Rt?i.SRGB8_ALPHA8:i.RGBA8),X===i.UNSIGNED_SHORT&&xe&&(te=xe.RGBA16_EXT),X===i.SHORT&&xe&&(te=xe.RGBA16_SNORM_EXT),X===i.UNSIGNED_SHORT_4_4_4_4&&(te=i.RGBA4),X===i.UNSIGNED_SHORT_5_5_5_1&&(te=i.RGB5_A1)}return(te===i.R16F||te===i.R32F||te===i.RG16F||te===i.RG32F||te===i.RGBA16F||te===i.RGBA32F)&&e.get("EXT_color_buffer_float"),te}function y(R,v){let X;return R?v===null||v===zi||v===Ar?X=i.DEPTH24_STENCIL8:v===Vi?X=i.DEPTH32F_STENCIL8:v===Do&&(X=i.DEPTH24_STENCIL8,qe("DepthTexture: 16 bit depth attachment is not supported with stencil. Using 24-bit attachment.")):v===null||v===zi||v===Ar?X=i.DEPTH_COMPONENT24:v===Vi?X=i.DEPTH_COMPONENT32F:v===Do&&(X=i.DEPTH_COMPONENT16),X}function E(R,v){return A(R)===!0||R.isFramebufferTexture&&R.minFilter!==Cn&&R.minFilter!==jn?Math.log2(Math.max(v.width,v.height))+1:R.mipmaps.length>0?R.mipmaps.length:R.isCompressedTexture&&Array.isArray(R.image)?v.mipmaps.length:1}function z(R){let v=new WeakRef(R);n.get(R).__ref=v,m.add(v),x.register(R,v,v)}function N(R){let v=n.get(R).__ref;v!==void 0&&(m.delete(v),x.unregister(v))}function L(R){W(R.target)}function H(R){D(R.target)}function W(R){R.removeEventListener("dispose",L),N(R),K(R),R.isVideoTexture&&h.delete(R),R.isHTMLTexture&&u.delete(R)}function D(R){R.removeEventListener("dispose",H),N(R),ce(R)}function G(){for(let R of m){let v=R.deref();v!==void 0&&(v.isRenderTarget===!0?D(v):W(v))}m.clear(),u.clear()}function K(R){let v=n.get(R);if(v.__webglInit===void 0)return;let X=R.source,he=f.get(X);if(he){let oe=he[v.__cacheKey];oe.usedTimes--,oe.usedTimes===0&&B(R),Object.keys(he).length===0&&f.delete(X)}n.remove(R)}function B(R){let v=n.get(R);i.deleteTexture(v.__webglTexture);let X=R.source,he=f.get(X);delete he[v.__cacheKey],o.memory.textures--}function ce(R){let v=n.get(R);v.__depthDisposeCallback&&v.__depthDisposeCallback();let X=R.depthTexture;if(X&&X.renderTarget===R&&W(X),R.isWebGLCubeRenderTarget)for(let oe=0;oe<6;oe++){if(Array.isArray(v.__webglFramebuffer[oe]))for(let _e=0;_e<v.__webglFramebuffer[oe].length;_e++)i.deleteFramebuffer(v.__webglFramebuffer[oe][_e]);else i.deleteFramebuffer(v.__webglFramebuffer[oe]);v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer[oe])}else{if(Array.isArray(v.__webglFramebuffer))for(let oe=0;oe<v.__webglFramebuffer.length;oe++)i.deleteFramebuffer(v.__webglFramebuffer[oe]);else i.deleteFramebuffer(v.__webglFramebuffer);if(v.__webglDepthbuffer&&i.deleteRenderbuffer(v.__webglDepthbuffer),v.__webglMultisampledFramebuffer&&i.deleteFramebuffer(v.__webglMultisampledFramebuffer),v.__webglColorRenderbuffer)for(let oe=0;oe<v.__webglColorRenderbuffer.length;oe++)v.__webglColorRenderbuffer[oe]&&i.deleteRenderbuffer(v.__webglColorRenderbuffer[oe]);v.__webglDepthRenderbuffer&&i.deleteRenderbuffer(v.__webglDepthRenderbuffer)}let he=R.textures;for(let oe=0,_e=he.length;oe<_e;oe++){let xe=n.get(he[oe]);xe.__webglTexture&&(i.deleteTexture(xe.__webglTexture),o.memory.textures--),n.remove(he[oe])}n.remove(R)}let J=0;function Q(){J=0}function se(){return J}function de(R){J=R}function ue(){let R=J;return R>=s.maxTextures&&qe("WebGLTextures: Trying to use "+(R+1)+" texture units while this GPU supports only "+s.maxTextures),J+=1,R}function ee(R){let v=[];return v.push(R.wrapS),v.push(R.wrapT),v.push(R.wrapR||0),v.push(R.magFilter),v.push(R.minFilter),v.push(R.anisotropy),v.push(R.internalFormat),v.push(R.format),v.push(R.type),v.push(R.generateMipmaps),v.push(R.mipmapsAutoUpdate),v.push(R.premultiplyAlpha),v.push(R.flipY),v.push(R.unpackAlignment),v.push(R.colorSpace),v.join()}function me(R,v){let X=n.get(R);if(R.isVideoTexture&&Ft(R),R.isRenderTargetTexture===!1&&R.isExternalTexture!==!0&&R.version>0&&X.__version!==R.version){let he=R.image;if(he===null)qe("WebGLRenderer: Texture marked for update but no image data found.");else if(he.complete===!1)qe("WebGLRenderer: Texture marked for update but image is incomplete");else{kt(X,R,v);return}}else R.isExternalTexture&&(X.__webglTexture=R.sourceTexture?R.sourceTexture:null);t.bindTexture(i.TEXTURE_2D,X.__webglTexture,i.TEXTURE0+v)}function ye(R,v){let X=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&X.__version!==R.version){kt(X,R,v);return}else R.isExternalTexture&&(X.__webglTexture=R.sourceTexture?R.sourceTexture:null);t.bindTexture(i.TEXTURE_2D_ARRAY,X.__webglTexture,i.TEXTURE0+v)}function Ae(R,v){let X=n.get(R);if(R.isRenderTargetTexture===!1&&R.version>0&&X.__version!==R.version){kt(X,R,v);return}t.bindTexture(i.TEXTURE_3D,X.__webglTexture,i.TEXTURE0+v)}function Se(R,v){let X=n.get(R);if(R.version>0&&X.__version!==R.version){on(X,R,v);return}t.bindTexture(i.TEXTURE_CUBE_MAP,X.__webglTexture,i.TEXTURE0+v)}let He={[Sc]:i.REPEAT,[es]:i.CLAMP_TO_EDGE,[Mc]:i.MIRRORED_REPEAT},st={[Cn]:i.NEAREST,[i1]:i.NEAREST_MIPMAP_NEAREST,[ka]:i.NEAREST_MIPMAP_LINEAR,[jn]:i.LINEAR,[Qc]:i.LINEAR_MIPMAP_NEAREST,[Ts]:i.LINEAR_MIPMAP_LINEAR},Ve={[a1]:i.NEVER,[df]:i.ALWAYS,[l1]:i.LESS,[hf]:i.LEQUAL,[c1]:i.EQUAL,[uf]:i.GEQUAL,[h1]:i.GREATER,[u1]:i.NOTEQUAL};function ut(R,v){if(v.type===Vi&&e.has("OES_texture_float_linear")===!1&&(v.magFilter===jn||v.magFilter===Qc||v.magFilter===ka||v.magFilter===Ts||v.minFilter===jn||v.minFilter===Qc||v.minFilter===ka||v.minFilter===Ts)&&qe("WebGLRenderer: Unable to use linear filtering with floating point textures. OES_texture_float_linear not supported on this device."),i.texParameteri(R,i.TEXTURE_WRAP_S,He[v.wrapS]),i.texParameteri(R,i.TEXTURE_WRAP_T,He[v.wrapT]),(R===i.TEXTURE_3D||R===i.TEXTURE_2D_ARRAY)&&i.texParameteri(R,i.TEXTURE_WRAP_R,He[v.wrapR]),i.texParameteri(R,i.TEXTURE_MAG_FILTER,st[v.magFilter]),i.texParameteri(R,i.TEXTURE_MIN_FILTER,st[v.minFilter]),v.compareFunction&&(i.texParameteri(R,i.TEXTURE_COMPARE_MODE,i.COMPARE_REF_TO_TEXTURE),i.texParameteri(R,i.TEXTURE_COMPARE_FUNC,Ve[v.compareFunction])),e.has("EXT_texture_filter_anisotropic")===!0){if(v.magFilter===Cn||v.minFilter!==ka&&v.minFilter!==Ts||v.type===Vi&&e.has("OES_texture_float_linear")===!1)return;if(v.anisotropy>1||n.get(v).__currentAnisotropy){let X=e.get("EXT_texture_filter_anisotropic");i.texParameterf(R,X.TEXTURE_MAX_ANISOTROPY_EXT,Math.min(v.anisotropy,s.getMaxAnisotropy())),n.get(v).__currentAnisotropy=v.anisotropy}}}function lt(R,v){let X=!1;R.__webglInit===void 0&&(R.__webglInit=!0,v.addEventListener("dispose",L),z(v));let he=v.source,oe=f.get(he);oe===void 0&&(oe={},f.set(he,oe));let _e=ee(v);if(_e!==R.__cacheKey){oe[_e]===void 0&&(oe[_e]={texture:i.createTexture(),usedTimes:0},o.memory.textures++,X=!0),oe[_e].usedTimes++;let xe=oe[R.__cacheKey];xe!==void 0&&(oe[R.__cacheKey].usedTimes--,xe.usedTimes===0&&B(v)),R.__cacheKey=_e,R.__webglTexture=oe[_e].texture}return X}function nt(R,v,X){return Math.floor(Math.floor(R/X)/v)}function qt(R,v,X,he){let _e=R.updateRanges;if(_e.length===0)t.texSubImage2D(i.TEXTURE_2D,0,0,0,v.width,v.height,X,he,v.data);else{_e.sort((F,re)=>F.start-re.start);let xe=0;for(let F=1;F<_e.length;F++){let re=_e[xe],ne=_e[F],we=re.start+re.count,ge=nt(ne.start,v.width,4),be=nt(re.start,v.width,4);ne.start<=we+1&&ge===be&&nt(ne.start+ne.count-1,v.width,4)===ge?re.count=Math.max(re.count,ne.start+ne.count-re.start):(++xe,_e[xe]=ne)}_e.length=xe+1;let te=t.getParameter(i.UNPACK_ROW_LENGTH),ie=t.getParameter(i.UNPACK_SKIP_PIXELS),pe=t.getParameter(i.UNPACK_SKIP_ROWS);t.pixelStorei(i.UNPACK_ROW_LENGTH,v.width);for(let F=0,re=_e.length;F<re;F++){let ne=_e[F],we=Math.floor(ne.start/4),ge=Math.ceil(ne.count/4),be=we%v.width,Ge=Math.floor(we/v.width),Ze=ge,le=1;t.pixelStorei(i.UNPACK_SKIP_PIXELS,be),t.pixelStorei(i.UNPACK_SKIP_ROWS,Ge),t.texSubImage2D(i.TEXTURE_2D,0,be,Ge,Ze,le,X,he,v.data)}R.clearUpdateRanges(),t.pixelStorei(i.UNPACK_ROW_LENGTH,te),t.pixelStorei(i.UNPACK_SKIP_PIXELS,ie),t.pixelStorei(i.UNPACK_SKIP_ROWS,pe)}}function kt(R,v,X){let he=i.TEXTURE_2D;(v.isDataArrayTexture||v.isCompressedArrayTexture)&&(he=i.TEXTURE_2D_ARRAY),v.isData3DTexture&&(he=i.TEXTURE_3D);let oe=lt(R,v),_e=v.source;t.bindTexture(he,R.__webglTexture,i.TEXTURE0+X);let xe=n.get(_e);if(_e.version!==xe.__version||oe===!0){if(t.activeTexture(i.TEXTURE0+X),(typeof ImageBitmap<"u"&&v.image instanceof ImageBitmap)===!1){let le=pt.getPrimaries(pt.workingColorSpace),Oe=v.colorSpace===Rs?null:pt.getPrimaries(v.colorSpace),Ke=v.colorSpace===Rs||le===Oe?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,Ke)}t.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment);let ie=b(v.image,!1,s.maxTextureSize);ie=ze(v,ie);let pe=r.convert(v.format,v.colorSpace),F=r.convert(v.type),re=T(v.internalFormat,pe,F,v.normalized,v.colorSpace,v.isVideoTexture);ut(he,v);let ne,we=v.mipmaps,ge=v.isVideoTexture!==!0,be=xe.__version===void 0||oe===!0,Ge=_e.dataReady,Ze=E(v,ie);if(v.isDepthTexture)re=y(v.format===As,v.type),be&&(ge?t.texStorage2D(i.TEXTURE_2D,1,re,ie.width,ie.height):t.texImage2D(i.TEXTURE_2D,0,re,ie.width,ie.height,0,pe,F,null));else if(v.isDataTexture)if(we.length>0){ge&&be&&t.texStorage2D(i.TEXTURE_2D,Ze,re,we[0].width,we[0].height);for(let le=0,Oe=we.length;le<Oe;le++)ne=we[le],ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,pe,F,ne.data):t.texImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,pe,F,ne.data);v.generateMipmaps=!1}else ge?(be&&t.texStorage2D(i.TEXTURE_2D,Ze,re,ie.width,ie.height),Ge&&qt(v,ie,pe,F)):t.texImage2D(i.TEXTURE_2D,0,re,ie.width,ie.height,0,pe,F,ie.data);else if(v.isCompressedTexture)if(v.isCompressedArrayTexture){ge&&be&&t.texStorage3D(i.TEXTURE_2D_ARRAY,Ze,re,we[0].width,we[0].height,ie.depth);for(let le=0,Oe=we.length;le<Oe;le++)if(ne=we[le],v.format!==Hi)if(pe!==null)if(ge){if(Ge)if(v.layerUpdates.size>0){let Ke=Sf(ne.width,ne.height,v.format,v.type);for(let Re of v.layerUpdates){let at=ne.data.subarray(Re*Ke/ne.data.BYTES_PER_ELEMENT,(Re+1)*Ke/ne.data.BYTES_PER_ELEMENT);t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,Re,ne.width,ne.height,1,pe,at)}}else t.compressedTexSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,0,ne.width,ne.height,ie.depth,pe,ne.data)}else t.compressedTexImage3D(i.TEXTURE_2D_ARRAY,le,re,ne.width,ne.height,ie.depth,0,ne.data,0,0);else qe("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()");else ge?Ge&&t.texSubImage3D(i.TEXTURE_2D_ARRAY,le,0,0,0,ne.width,ne.height,ie.depth,pe,F,ne.data):t.texImage3D(i.TEXTURE_2D_ARRAY,le,re,ne.width,ne.height,ie.depth,0,pe,F,ne.data);v.layerUpdates.size>0&&v.clearLayerUpdates()}else{ge&&be&&t.texStorage2D(i.TEXTURE_2D,Ze,re,we[0].width,we[0].height);for(let le=0,Oe=we.length;le<Oe;le++)ne=we[le],v.format!==Hi?pe!==null?ge?Ge&&t.compressedTexSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,pe,ne.data):t.compressedTexImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,ne.data):qe("WebGLRenderer: Attempt to load unsupported compressed texture format in .uploadTexture()"):ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,ne.width,ne.height,pe,F,ne.data):t.texImage2D(i.TEXTURE_2D,le,re,ne.width,ne.height,0,pe,F,ne.data)}else if(v.isDataArrayTexture)if(ge){if(be&&t.texStorage3D(i.TEXTURE_2D_ARRAY,Ze,re,ie.width,ie.height,ie.depth),Ge)if(v.layerUpdates.size>0){let le=Sf(ie.width,ie.height,v.format,v.type);for(let Oe of v.layerUpdates){let Ke=ie.data.subarray(Oe*le/ie.data.BYTES_PER_ELEMENT,(Oe+1)*le/ie.data.BYTES_PER_ELEMENT);t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,Oe,ie.width,ie.height,1,pe,F,Ke)}v.clearLayerUpdates()}else t.texSubImage3D(i.TEXTURE_2D_ARRAY,0,0,0,0,ie.width,ie.height,ie.depth,pe,F,ie.data)}else t.texImage3D(i.TEXTURE_2D_ARRAY,0,re,ie.width,ie.height,ie.depth,0,pe,F,ie.data);else if(v.isData3DTexture)ge?(be&&t.texStorage3D(i.TEXTURE_3D,Ze,re,ie.width,ie.height,ie.depth),Ge&&t.texSubImage3D(i.TEXTURE_3D,0,0,0,0,ie.width,ie.height,ie.depth,pe,F,ie.data)):t.texImage3D(i.TEXTURE_3D,0,re,ie.width,ie.height,ie.depth,0,pe,F,ie.data);else if(v.isFramebufferTexture){if(be)if(ge)t.texStorage2D(i.TEXTURE_2D,Ze,re,ie.width,ie.height);else{let le=ie.width,Oe=ie.height;for(let Ke=0;Ke<Ze;Ke++)t.texImage2D(i.TEXTURE_2D,Ke,re,le,Oe,0,pe,F,null),le>>=1,Oe>>=1}}else if(v.isHTMLTexture){if("texElementImage2D"in i){let le=i.canvas;if(le.hasAttribute("layoutsubtree")||le.setAttribute("layoutsubtree","true"),ie.parentNode!==le){le.appendChild(ie),u.add(v),le.onpaint=Oe=>{let Ke=Oe.changedElements;for(let Re of u)Ke.includes(Re.image)&&(Re.needsUpdate=!0)},le.requestPaint();return}if(i.texElementImage2D.length===3)i.texElementImage2D(i.TEXTURE_2D,i.RGBA8,ie);else{let Ke=i.RGBA,Re=i.RGBA,at=i.UNSIGNED_BYTE;i.texElementImage2D(i.TEXTURE_2D,0,Ke,Re,at,ie)}i.texParameteri(i.TEXTURE_2D,i.TEXTURE_MIN_FILTER,i.LINEAR),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_S,i.CLAMP_TO_EDGE),i.texParameteri(i.TEXTURE_2D,i.TEXTURE_WRAP_T,i.CLAMP_TO_EDGE)}}else if(we.length>0){if(ge&&be){let le=Xe(we[0]);t.texStorage2D(i.TEXTURE_2D,Ze,re,le.width,le.height)}for(let le=0,Oe=we.length;le<Oe;le++)ne=we[le],ge?Ge&&t.texSubImage2D(i.TEXTURE_2D,le,0,0,pe,F,ne):t.texImage2D(i.TEXTURE_2D,le,re,pe,F,ne);v.generateMipmaps=!1}else if(ge){if(be){let le=Xe(ie);t.texStorage2D(i.TEXTURE_2D,Ze,re,le.width,le.height)}Ge&&t.texSubImage2D(i.TEXTURE_2D,0,0,0,pe,F,ie)}else t.texImage2D(i.TEXTURE_2D,0,re,pe,F,ie);A(v)&&v.mipmapsAutoUpdate===!0&&w(he),xe.__version=_e.version,v.onUpdate&&v.onUpdate(v)}R.__version=v.version}function on(R,v,X){if(v.image.length!==6)return;let he=lt(R,v),oe=v.source;t.bindTexture(i.TEXTURE_CUBE_MAP,R.__webglTexture,i.TEXTURE0+X);let _e=n.get(oe);if(oe.version!==_e.__version||he===!0){t.activeTexture(i.TEXTURE0+X);let xe=pt.getPrimaries(pt.workingColorSpace),te=v.colorSpace===Rs?null:pt.getPrimaries(v.colorSpace),ie=v.colorSpace===Rs||xe===te?i.NONE:i.BROWSER_DEFAULT_WEBGL;t.pixelStorei(i.UNPACK_FLIP_Y_WEBGL,v.flipY),t.pixelStorei(i.UNPACK_PREMULTIPLY_ALPHA_WEBGL,v.premultiplyAlpha),t.pixelStorei(i.UNPACK_ALIGNMENT,v.unpackAlignment),t.pixelStorei(i.UNPACK_COLORSPACE_CONVERSION_WEBGL,ie);let pe=v.isCompressedTexture||v.image[0].isCompressedTexture,F=v.image[0]&&v.image[0].isDataTexture,re=[];for(let Re=0;Re<6;Re++)!pe&&!F?re[Re]=b(v.image[Re],!0,s.maxCubemapSize):re[Re]=F?v.image[Re].image:v.image[Re],re[Re]=ze(v,re[Re]);let ne=re[0],we=r.convert(v.format,v.colorSpace),ge=r.convert(v.type),be=T(v.internalFormat,we,ge,v.normalized,v.colorSpace),Ge=v.isVideoTexture!==!0,Ze=_e.__version===void 0||he===!0,le=oe.dataReady,Oe=E(v,ne);ut(i.TEXTURE_CUBE_MAP,v);let Ke;if(v.isDepthTexture){if(be=y(v.format===As,v.type),Ze)if(Ge)t.texStorage2D(i.TEXTURE_CUBE_MAP,1,be,ne.width,ne.height);else for(let Re=0;Re<6;Re++)t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,be,ne.width,ne.height,0,we,ge,null)}else if(pe){Ge&&Ze&&t.texStorage2D(i.TEXTURE_CUBE_MAP,Oe,be,ne.width,ne.height);for(let Re=0;Re<6;Re++){Ke=re[Re].mipmaps;for(let at=0;at<Ke.length;at++){let zt=Ke[at];v.format!==Hi?we!==null?Ge?le&&t.compressedTexSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,at,0,0,zt.width,zt.height,we,zt.data):t.compressedTexImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,at,be,zt.width,zt.height,0,zt.data):qe("WebGLRenderer: Attempt to load unsupported compressed texture format in .setTextureCube()"):Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,at,0,0,zt.width,zt.height,we,ge,zt.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,at,be,zt.width,zt.height,0,we,ge,zt.data)}}}else{if(Ke=v.mipmaps,Ge&&Ze){Ke.length>0&&Oe++;let Re=Xe(re[0]);t.texStorage2D(i.TEXTURE_CUBE_MAP,Oe,be,Re.width,Re.height)}for(let Re=0;Re<6;Re++)if(F){Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,0,0,re[Re].width,re[Re].height,we,ge,re[Re].data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,be,re[Re].width,re[Re].height,0,we,ge,re[Re].data);for(let at=0;at<Ke.length;at++){let Hn=Ke[at].image[Re].image;Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,at+1,0,0,Hn.width,Hn.height,we,ge,Hn.data):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,at+1,be,Hn.width,Hn.height,0,we,ge,Hn.data)}}else{Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,0,0,we,ge,re[Re]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,0,be,we,ge,re[Re]);for(let at=0;at<Ke.length;at++){let zt=Ke[at];Ge?le&&t.texSubImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,at+1,0,0,we,ge,zt.image[Re]):t.texImage2D(i.TEXTURE_CUBE_MAP_POSITIVE_X+Re,at+1,be,we,ge,zt.image[Re])}}}A(v)&&v.mipmapsAutoUpdate===!0&&w(i.TEXTURE_CUBE_MAP),_e.__version=oe.version,v.onUpdate&&v.onUpdate(v)}R.__version=v.version}function Dt(R,v,X,he,oe,_e){let xe=r.convert(X.format,X.colorSpace),te=r.convert(X.type),ie=T(X.internalFormat,xe,te,X.normalized,X.colorSpace),pe=n.get(v),F=n.get(X);if(F.__renderTarget=v,!pe.__hasExternalTextures){let re=Math.max(1,v.width>>_e),ne=Math.max(1,v.height>>_e);oe===i.TEXTURE_3D||oe===i.TEXTURE_2D_ARRAY?t.texImage3D(oe,_e,ie,re,ne,v.depth,0,xe,te,null):t.texImage2D(oe,_e,ie,re,ne,0,xe,te,null)}t.bindFramebuffer(i.FRAMEBUFFER,R),Me(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,he,oe,F.__webglTexture,0,rt(v)):(oe===i.TEXTURE_2D||oe>=i.TEXTURE_CUBE_MAP_POSITIVE_X&&oe<=i.TEXTURE_CUBE_MAP_NEGATIVE_Z)&&i.framebufferTexture2D(i.FRAMEBUFFER,he,oe,F.__webglTexture,_e),t.bindFramebuffer(i.FRAMEBUFFER,null)}function Mn(R,v,X){if(i.bindRenderbuffer(i.RENDERBUFFER,R),v.depthBuffer){let he=v.depthTexture,oe=he&&he.isDepthTexture?he.type:null,_e=y(v.stencilBuffer,oe),xe=v.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;Me(v)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,rt(v),_e,v.width,v.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,rt(v),_e,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,_e,v.width,v.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,xe,i.RENDERBUFFER,R)}else{let he=v.textures;for(let oe=0;oe<he.length;oe++){let _e=he[oe],xe=r.convert(_e.format,_e.colorSpace),te=r.convert(_e.type),ie=T(_e.internalFormat,xe,te,_e.normalized,_e.colorSpace);Me(v)?a.renderbufferStorageMultisampleEXT(i.RENDERBUFFER,rt(v),ie,v.width,v.height):X?i.renderbufferStorageMultisample(i.RENDERBUFFER,rt(v),ie,v.width,v.height):i.renderbufferStorage(i.RENDERBUFFER,ie,v.width,v.height)}}i.bindRenderbuffer(i.RENDERBUFFER,null)}function xt(R,v,X){let he=v.isWebGLCubeRenderTarget===!0;if(t.bindFramebuffer(i.FRAMEBUFFER,R),!(v.depthTexture&&v.depthTexture.isDepthTexture))throw new Error("THREE.WebGLTextures: renderTarget.depthTexture must be an instance of THREE.DepthTexture.");let oe=n.get(v.depthTexture);oe.__renderTarget=v;let _e=he?v.depthTexture.image[0]:v.depthTexture.image;(!oe.__webglTexture||_e.width!==v.width||_e.height!==v.height)&&(_e.width=v.width,_e.height=v.height,v.depthTexture.needsUpdate=!0),he?Se(v.depthTexture,0):me(v.depthTexture,0);let xe=oe.__webglTexture,te=rt(v),ie=he?i.TEXTURE_CUBE_MAP_POSITIVE_X+X:i.TEXTURE_2D,pe=v.depthTexture.format===As?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;if(v.depthTexture.format===Ms)Me(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pe,ie,xe,0,te):i.framebufferTexture2D(i.FRAMEBUFFER,pe,ie,xe,0);else if(v.depthTexture.format===As)Me(v)?a.framebufferTexture2DMultisampleEXT(i.FRAMEBUFFER,pe,ie,xe,0,te):i.framebufferTexture2D(i.FRAMEBUFFER,pe,ie,xe,0);else throw new Error("THREE.WebGLTextures: Unknown depthTexture format.")}function mn(R){let v=n.get(R),X=R.isWebGLCubeRenderTarget===!0;if(v.__boundDepthTexture!==R.depthTexture){let he=R.depthTexture;if(v.__depthDisposeCallback&&v.__depthDisposeCallback(),he){let oe=()=>{delete v.__boundDepthTexture,delete v.__depthDisposeCallback,he.removeEventListener("dispose",oe)};he.addEventListener("dispose",oe),v.__depthDisposeCallback=oe}v.__boundDepthTexture=he}if(R.depthTexture&&!v.__autoAllocateDepthBuffer)if(X)for(let he=0;he<6;he++)xt(v.__webglFramebuffer[he],R,he);else R.texture.mipmaps.length>0?xt(v.__webglFramebuffer[0],R,0):xt(v.__webglFramebuffer,R,0);else if(X){v.__webglDepthbuffer=[];for(let he=0;he<6;he++)if(t.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[he]),v.__webglDepthbuffer[he]===void 0)v.__webglDepthbuffer[he]=i.createRenderbuffer(),Mn(v.__webglDepthbuffer[he],R,!1);else{let oe=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_e=v.__webglDepthbuffer[he];i.bindRenderbuffer(i.RENDERBUFFER,_e),i.framebufferRenderbuffer(i.FRAMEBUFFER,oe,i.RENDERBUFFER,_e)}}else if(R.texture.mipmaps.length>0?t.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer[0]):t.bindFramebuffer(i.FRAMEBUFFER,v.__webglFramebuffer),v.__webglDepthbuffer===void 0)v.__webglDepthbuffer=i.createRenderbuffer(),Mn(v.__webglDepthbuffer,R,!1);else{let oe=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,_e=v.__webglDepthbuffer;i.bindRenderbuffer(i.RENDERBUFFER,_e),i.framebufferRenderbuffer(i.FRAMEBUFFER,oe,i.RENDERBUFFER,_e)}t.bindFramebuffer(i.FRAMEBUFFER,null)}function Kt(R,v,X){let he=n.get(R);v!==void 0&&Dt(he.__webglFramebuffer,R,R.texture,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,0),X!==void 0&&mn(R)}function an(R){let v=R.texture,X=n.get(R),he=n.get(v);R.addEventListener("dispose",H),z(R);let oe=R.textures,_e=R.isWebGLCubeRenderTarget===!0,xe=oe.length>1;if(xe||(he.__webglTexture===void 0&&(he.__webglTexture=i.createTexture()),he.__version=v.version,o.memory.textures++),_e){X.__webglFramebuffer=[];for(let te=0;te<6;te++)if(v.mipmaps.length>0){X.__webglFramebuffer[te]=[];for(let ie=0;ie<v.mipmaps.length;ie++)X.__webglFramebuffer[te][ie]=i.createFramebuffer()}else X.__webglFramebuffer[te]=i.createFramebuffer()}else{if(v.mipmaps.length>0){X.__webglFramebuffer=[];for(let te=0;te<v.mipmaps.length;te++)X.__webglFramebuffer[te]=i.createFramebuffer()}else X.__webglFramebuffer=i.createFramebuffer();if(xe)for(let te=0,ie=oe.length;te<ie;te++){let pe=n.get(oe[te]);pe.__webglTexture===void 0&&(pe.__webglTexture=i.createTexture(),o.memory.textures++)}if(R.samples>0&&Me(R)===!1){X.__webglMultisampledFramebuffer=i.createFramebuffer(),X.__webglColorRenderbuffer=[],t.bindFramebuffer(i.FRAMEBUFFER,X.__webglMultisampledFramebuffer);for(let te=0;te<oe.length;te++){let ie=oe[te];X.__webglColorRenderbuffer[te]=i.createRenderbuffer(),i.bindRenderbuffer(i.RENDERBUFFER,X.__webglColorRenderbuffer[te]);let pe=r.convert(ie.format,ie.colorSpace),F=r.convert(ie.type),re=T(ie.internalFormat,pe,F,ie.normalized,ie.colorSpace,R.isXRRenderTarget===!0),ne=rt(R);i.renderbufferStorageMultisample(i.RENDERBUFFER,ne,re,R.width,R.height),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+te,i.RENDERBUFFER,X.__webglColorRenderbuffer[te])}i.bindRenderbuffer(i.RENDERBUFFER,null),R.depthBuffer&&(X.__webglDepthRenderbuffer=i.createRenderbuffer(),Mn(X.__webglDepthRenderbuffer,R,!0)),t.bindFramebuffer(i.FRAMEBUFFER,null)}}if(_e){t.bindTexture(i.TEXTURE_CUBE_MAP,he.__webglTexture),ut(i.TEXTURE_CUBE_MAP,v);for(let te=0;te<6;te++)if(v.mipmaps.length>0)for(let ie=0;ie<v.mipmaps.length;ie++)Dt(X.__webglFramebuffer[te][ie],R,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+te,ie);else Dt(X.__webglFramebuffer[te],R,v,i.COLOR_ATTACHMENT0,i.TEXTURE_CUBE_MAP_POSITIVE_X+te,0);A(v)?w(i.TEXTURE_CUBE_MAP):v.mipmaps.length>0&&i.texParameteri(i.TEXTURE_CUBE_MAP,i.TEXTURE_MAX_LEVEL,v.mipmaps.length-1),t.unbindTexture()}else if(xe){for(let te=0,ie=oe.length;te<ie;te++){let pe=oe[te],F=n.get(pe),re=i.TEXTURE_2D;(R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(re=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(re,F.__webglTexture),ut(re,pe),Dt(X.__webglFramebuffer,R,pe,i.COLOR_ATTACHMENT0+te,re,0),A(pe)&&w(re)}t.unbindTexture()}else{let te=i.TEXTURE_2D;if((R.isWebGL3DRenderTarget||R.isWebGLArrayRenderTarget)&&(te=R.isWebGL3DRenderTarget?i.TEXTURE_3D:i.TEXTURE_2D_ARRAY),t.bindTexture(te,he.__webglTexture),ut(te,v),v.mipmaps.length>0)for(let ie=0;ie<v.mipmaps.length;ie++)Dt(X.__webglFramebuffer[ie],R,v,i.COLOR_ATTACHMENT0,te,ie);else Dt(X.__webglFramebuffer,R,v,i.COLOR_ATTACHMENT0,te,0);A(v)?w(te):v.mipmaps.length>0&&i.texParameteri(te,i.TEXTURE_MAX_LEVEL,v.mipmaps.length-1),t.unbindTexture()}R.depthBuffer&&mn(R)}function U(R){let v=R.textures;for(let X=0,he=v.length;X<he;X++){let oe=v[X];if(A(oe)&&oe.mipmapsAutoUpdate===!0){let _e=P(R),xe=n.get(oe).__webglTexture;t.bindTexture(_e,xe),w(_e),t.unbindTexture()}}}let Ce=[];function $e(R){if(R.samples>0){if(Me(R)===!1){let v=R.textures,X=R.width,he=R.height,oe=i.COLOR_BUFFER_BIT,_e=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT,xe=n.get(R),te=v.length>1;if(te)for(let pe=0;pe<v.length;pe++)t.bindFramebuffer(i.FRAMEBUFFER,xe.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pe,i.RENDERBUFFER,null),t.bindFramebuffer(i.FRAMEBUFFER,xe.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pe,i.TEXTURE_2D,null,0);t.bindFramebuffer(i.READ_FRAMEBUFFER,xe.__webglMultisampledFramebuffer),R.texture.mipmaps.length>0?t.bindFramebuffer(i.DRAW_FRAMEBUFFER,xe.__webglFramebuffer[0]):t.bindFramebuffer(i.DRAW_FRAMEBUFFER,xe.__webglFramebuffer);for(let pe=0;pe<v.length;pe++){if(R.resolveDepthBuffer&&(R.depthBuffer&&(oe|=i.DEPTH_BUFFER_BIT),R.stencilBuffer&&R.resolveStencilBuffer&&(oe|=i.STENCIL_BUFFER_BIT)),te){i.framebufferRenderbuffer(i.READ_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.RENDERBUFFER,xe.__webglColorRenderbuffer[pe]);let F=n.get(v[pe]).__webglTexture;i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0,i.TEXTURE_2D,F,0)}i.blitFramebuffer(0,0,X,he,0,0,X,he,oe,i.NEAREST),l===!0&&(Ce.length=0,Ce.push(i.COLOR_ATTACHMENT0+pe),R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&Ce.push(_e),i.invalidateFramebuffer(i.READ_FRAMEBUFFER,Ce))}if(t.bindFramebuffer(i.READ_FRAMEBUFFER,null),t.bindFramebuffer(i.DRAW_FRAMEBUFFER,null),te)for(let pe=0;pe<v.length;pe++){t.bindFramebuffer(i.FRAMEBUFFER,xe.__webglMultisampledFramebuffer),i.framebufferRenderbuffer(i.FRAMEBUFFER,i.COLOR_ATTACHMENT0+pe,i.RENDERBUFFER,xe.__webglColorRenderbuffer[pe]);let F=n.get(v[pe]).__webglTexture;t.bindFramebuffer(i.FRAMEBUFFER,xe.__webglFramebuffer),i.framebufferTexture2D(i.DRAW_FRAMEBUFFER,i.COLOR_ATTACHMENT0+pe,i.TEXTURE_2D,F,0)}t.bindFramebuffer(i.DRAW_FRAMEBUFFER,xe.__webglMultisampledFramebuffer)}else if(R.depthBuffer&&R.storeMultisampledDepthBuffer===!1&&l){let v=R.stencilBuffer?i.DEPTH_STENCIL_ATTACHMENT:i.DEPTH_ATTACHMENT;i.invalidateFramebuffer(i.DRAW_FRAMEBUFFER,[v])}}}function rt(R){return Math.min(s.maxSamples,R.samples)}function Me(R){let v=n.get(R);return R.samples>0&&e.has("WEBGL_multisampled_render_to_texture")===!0&&v.__useRenderToTexture!==!1}function Ft(R){let v=o.render.frame;h.get(R)!==v&&(h.set(R,v),R.update())}function ze(R,v){let X=R.colorSpace,he=R.format,oe=R.type;return R.isCompressedTexture===!0||R.isVideoTexture===!0||X!==Sr&&X!==Rs&&(pt.getTransfer(X)===Rt?(he!==Hi||oe!==bi)&&qe("WebGLTextures: sRGB encoded textures have to use RGBAFormat and UnsignedByteType."):Qe("WebGLTextures: Unsupported texture color space:",X)),v}function Xe(R){return typeof HTMLImageElement<"u"&&R instanceof HTMLImageElement?(c.width=R.naturalWidth||R.width,c.height=R.naturalHeight||R.height):typeof VideoFrame<"u"&&R instanceof VideoFrame?(c.width=R.displayWidth,c.height=R.displayHeight):(c.width=R.width,c.height=R.height),c}this.allocateTextureUnit=ue,this.resetTextureUnits=Q,this.getTextureUnits=se,this.setTextureUnits=de,this.setTexture2D=me,this.setTexture2DArray=ye,this.setTexture3D=Ae,this.setTextureCube=Se,this.rebindTextures=Kt,this.setupRenderTarget=an,this.updateRenderTargetMipmap=U,this.updateMultisampleRenderTarget=$e,this.setupDepthRenderbuffer=mn,this.setupFrameBufferTexture=Dt,this.useMultisampledRTT=Me,this.dispose=G}function VS(i,e){function t(n,s=Rs){let r,o=pt.getTransfer(s);if(n===bi)return i.UNSIGNED_BYTE;if(n===th)return i.UNSIGNED_SHORT_4_4_4_4;if(n===nh)return i.UNSIGNED_SHORT_5_5_5_1;if(n===sf)return i.UNSIGNED_INT_5_9_9_9_REV;if(n===rf)return i.UNSIGNED_INT_10F_11F_11F_REV;if(n===tf)return i.BYTE;if(n===nf)return i.SHORT;if(n===Do)return i.UNSIGNED_SHORT;if(n===eh)return i.INT;if(n===zi)return i.UNSIGNED_INT;if(n===Vi)return i.FLOAT;if(n===Gi)return i.HALF_FLOAT;if(n===of)return i.ALPHA;if(n===af)return i.RGB;if(n===Hi)return i.RGBA;if(n===Ms)return i.DEPTH_COMPONENT;if(n===As)return i.DEPTH_STENCIL;if(n===lf)return i.RED;if(n===ih)return i.RED_INTEGER;if(n===er)return i.RG;if(n===sh)return i.RG_INTEGER;if(n===rh)return i.RGBA_INTEGER;if(n===Ba||n===za||n===Va||n===Ga)if(o===Rt)if(r=e.get("WEBGL_compressed_texture_s3tc_srgb"),r!==null){if(n===Ba)return r.COMPRESSED_SRGB_S3TC_DXT1_EXT;if(n===za)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT1_EXT;if(n===Va)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT3_EXT;if(n===Ga)return r.COMPRESSED_SRGB_ALPHA_S3TC_DXT5_EXT}else return null;else if(r=e.get("WEBGL_compressed_texture_s3tc"),r!==null){if(n===Ba)return r.COMPRESSED_RGB_S3TC_DXT1_EXT;if(n===za)return r.COMPRESSED_RGBA_S3TC_DXT1_EXT;if(n===Va)return r.COMPRESSED_RGBA_S3TC_DXT3_EXT;if(n===Ga)return r.COMPRESSED_RGBA_S3TC_DXT5_EXT}else return null;if(n===oh||n===ah||n===lh||n===ch)if(r=e.get("WEBGL_compressed_texture_pvrtc"),r!==null){if(n===oh)return r.COMPRESSED_RGB_PVRTC_4BPPV1_IMG;if(n===ah)return r.COMPRESSED_RGB_PVRTC_2BPPV1_IMG;if(n===lh)return r.COMPRESSED_RGBA_PVRTC_4BPPV1_IMG;if(n===ch)return r.COMPRESSED_RGBA_PVRTC_2BPPV1_IMG}else return null;if(n===hh||n===uh||n===dh||n===fh||n===ph||n===Ha||n===mh)if(r=e.get("WEBGL_compressed_texture_etc"),r!==null){if(n===hh||n===uh)return o===Rt?r.COMPRESSED_SRGB8_ETC2:r.COMPRESSED_RGB8_ETC2;if(n===dh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ETC2_EAC:r.COMPRESSED_RGBA8_ETC2_EAC;if(n===fh)return r.COMPRESSED_R11_EAC;if(n===ph)return r.COMPRESSED_SIGNED_R11_EAC;if(n===Ha)return r.COMPRESSED_RG11_EAC;if(n===mh)return r.COMPRESSED_SIGNED_RG11_EAC}else return null;if(n===gh||n===_h||n===yh||n===xh||n===vh||n===bh||n===Sh||n===Mh||n===wh||n===Eh||n===Th||n===Ah||n===Rh||n===Ch)if(r=e.get("WEBGL_compressed_texture_astc"),r!==null){if(n===gh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_4x4_KHR:r.COMPRESSED_RGBA_ASTC_4x4_KHR;if(n===_h)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x4_KHR:r.COMPRESSED_RGBA_ASTC_5x4_KHR;if(n===yh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_5x5_KHR:r.COMPRESSED_RGBA_ASTC_5x5_KHR;if(n===xh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x5_KHR:r.COMPRESSED_RGBA_ASTC_6x5_KHR;if(n===vh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_6x6_KHR:r.COMPRESSED_RGBA_ASTC_6x6_KHR;if(n===bh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x5_KHR:r.COMPRESSED_RGBA_ASTC_8x5_KHR;if(n===Sh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x6_KHR:r.COMPRESSED_RGBA_ASTC_8x6_KHR;if(n===Mh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_8x8_KHR:r.COMPRESSED_RGBA_ASTC_8x8_KHR;if(n===wh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x5_KHR:r.COMPRESSED_RGBA_ASTC_10x5_KHR;if(n===Eh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x6_KHR:r.COMPRESSED_RGBA_ASTC_10x6_KHR;if(n===Th)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x8_KHR:r.COMPRESSED_RGBA_ASTC_10x8_KHR;if(n===Ah)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_10x10_KHR:r.COMPRESSED_RGBA_ASTC_10x10_KHR;if(n===Rh)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x10_KHR:r.COMPRESSED_RGBA_ASTC_12x10_KHR;if(n===Ch)return o===Rt?r.COMPRESSED_SRGB8_ALPHA8_ASTC_12x12_KHR:r.COMPRESSED_RGBA_ASTC_12x12_KHR}else return null;if(n===Ph||n===Ih||n===Lh)if(r=e.get("EXT_texture_compression_bptc"),r!==null){if(n===Ph)return o===Rt?r.COMPRESSED_SRGB_ALPHA_BPTC_UNORM_EXT:r.COMPRESSED_RGBA_BPTC_UNORM_EXT;if(n===Ih)return r.COMPRESSED_RGB_BPTC_SIGNED_FLOAT_EXT;if(n===Lh)return r.COMPRESSED_RGB_BPTC_UNSIGNED_FLOAT_EXT}else return null;if(n===Dh||n===Nh||n===Wa||n===Fh)if(r=e.get("EXT_texture_compression_rgtc"),r!==null){if(n===Dh)return r.COMPRESSED_RED_RGTC1_EXT;if(n===Nh)return r.COMPRESSED_SIGNED_RED_RGTC1_EXT;if(n===Wa)return r.COMPRESSED_RED_GREEN_RGTC2_EXT;if(n===Fh)return r.COMPRESSED_SIGNED_RED_GREEN_RGTC2_EXT}else return null;return n===Ar?i.UNSIGNED_INT_24_8:i[n]!==void 0?i[n]:null}return{convert:t}}var GS=`
void main() {

	gl_Position = vec4( position, 1.0 );

}`,HS=`
uniform sampler2DArray depthColor;
uniform float depthWidth;
uniform float depthHeight;

void main() {

	vec2 coord = vec2( gl_FragCoord.x / depthWidth, gl_FragCoord.y / depthHeight );

	if ( coord.x >= 1.0 ) {

		gl_FragDepth = texture( depthColor, vec3( coord.x - 1.0, coord.y, 1 ) ).r;

	} else {

		gl_FragDepth = texture( depthColor, vec3( coord.x, coord.y, 0 ) ).r;

	}

}`,If=class{constructor(){this.texture=null,this.mesh=null,this.depthNear=0,this.depthFar=0}init(e,t){if(this.texture===null){let n=new Ra(e.texture);(e.depthNear!==t.depthNear||e.depthFar!==t.depthFar)&&(this.depthNear=e.depthNear,this.depthFar=e.depthFar),this.texture=n}}getMesh(e){if(this.texture!==null&&this.mesh===null){let t=e.cameras[0].viewport,n=new Vn({vertexShader:GS,fragmentShader:HS,uniforms:{depthColor:{value:this.texture},depthWidth:{value:t.z},depthHeight:{value:t.w}}});this.mesh=new si(new Ca(20,20),n)}return this.mesh}reset(){this.texture=null,this.mesh=null}getDepthTexture(){return this.texture}},Lf=class extends Bi{constructor(e,t){super();let n=this,s=null,r=1,o=null,a="local-floor",l=1,c=null,h=null,u=null,d=null,f=null,m=null,x=typeof XRWebGLBinding<"u",g=new If,p={},b=t.getContextAttributes(),A=null,w=null,P=[],T=[],y=new et,E=null,z=null,N=new Jn;N.viewport=new Lt;let L=new Jn;L.viewport=new Lt;let H=[N,L],W=new Kc,D=null,G=null;this.cameraAutoUpdate=!0,this.enabled=!1,this.isPresenting=!1,this.getController=function(ee){let me=P[ee];return me===void 0&&(me=new Mo,P[ee]=me),me.getTargetRaySpace()},this.getControllerGrip=function(ee){let me=P[ee];return me===void 0&&(me=new Mo,P[ee]=me),me.getGripSpace()},this.getHand=function(ee){let me=P[ee];return me===void 0&&(me=new Mo,P[ee]=me),me.getHandSpace()};function K(ee){let me=T.indexOf(ee.inputSource);if(me===-1)return;let ye=P[me];ye!==void 0&&(ye.update(ee.inputSource,ee.frame,c||o),ye.dispatchEvent({type:ee.type,data:ee.inputSource}))}function B(){s.removeEventListener("select",K),s.removeEventListener("selectstart",K),s.removeEventListener("selectend",K),s.removeEventListener("squeeze",K),s.removeEventListener("squeezestart",K),s.removeEventListener("squeezeend",K),s.removeEventListener("end",B),s.removeEventListener("inputsourceschange",ce);for(let ee=0;ee<P.length;ee++){let me=T[ee];me!==null&&(T[ee]=null,P[ee].disconnect(me))}D=null,G=null,g.reset();for(let ee in p)delete p[ee];if(e.setRenderTarget(A),f=null,d=null,u=null,s=null,w=null,ue.stop(),n.isPresenting=!1,e.setPixelRatio(E),e.setSize(y.width,y.height,!1),z!==null){let ee=z.camera;ee.fov=z.fov,ee.zoom=z.zoom,ee.updateProjectionMatrix(),z=null}n.dispatchEvent({type:"sessionend"})}this.setFramebufferScaleFactor=function(ee){r=ee,n.isPresenting===!0&&qe("WebXRManager: Cannot change framebuffer scale while presenting.")},this.setReferenceSpaceType=function(ee){a=ee,n.isPresenting===!0&&qe("WebXRManager: Cannot change reference space type while presenting.")},this.getReferenceSpace=function(){return c||o},this.setReferenceSpace=function(ee){c=ee},this.getBaseLayer=function(){return d!==null?d:f},this.getBinding=function(){return u===null&&x&&(u=new XRWebGLBinding(s,t)),u},this.getFrame=function(){return m},this.getSession=function(){return s},this.setSession=async function(ee){if(s=ee,s!==null){if(A=e.getRenderTarget(),s.addEventListener("select",K),s.addEventListener("selectstart",K),s.addEventListener("selectend",K),s.addEventListener("squeeze",K),s.addEventListener("squeezestart",K),s.addEventListener("squeezeend",K),s.addEventListener("end",B),s.addEventListener("inputsourceschange",ce),b.xrCompatible!==!0&&await t.makeXRCompatible(),E=e.getPixelRatio(),e.getSize(y),x&&"createProjectionLayer"in XRWebGLBinding.prototype){let ye=null,Ae=null,Se=null;b.depth&&(Se=b.stencil?t.DEPTH24_STENCIL8:t.DEPTH_COMPONENT24,ye=b.stencil?As:Ms,Ae=b.stencil?Ar:zi);let He={colorFormat:t.RGBA8,depthFormat:Se,scaleFactor:r};u=this.getBinding(),d=u.createProjectionLayer(He),s.updateRenderState({layers:[d]}),e.setPixelRatio(1),e.setSize(d.textureWidth,d.textureHeight,!1),w=new yi(d.textureWidth,d.textureHeight,{format:Hi,type:bi,depthTexture:new Es(d.textureWidth,d.textureHeight,Ae,void 0,void 0,void 0,void 0,void 0,void 0,ye),stencilBuffer:b.stencil,colorSpace:e.outputColorSpace,samples:b.antialias?4:0,resolveDepthBuffer:d.ignoreDepthValues===!1,resolveStencilBuffer:d.ignoreDepthValues===!1,storeMultisampledDepthBuffer:d.ignoreDepthValues===!1,storeMultisampledStencilBuffer:d.ignoreDepthValues===!1})}else{let ye={antialias:b.antialias,alpha:!0,depth:b.depth,stencil:b.stencil,framebufferScaleFactor:r};f=new XRWebGLLayer(s,t,ye),s.updateRenderState({baseLayer:f}),e.setPixelRatio(1),e.setSize(f.framebufferWidth,f.framebufferHeight,!1),w=new yi(f.framebufferWidth,f.framebufferHeight,{format:Hi,type:bi,colorSpace:e.outputColorSpace,stencilBuffer:b.stencil,resolveDepthBuffer:f.ignoreDepthValues===!1,resolveStencilBuffer:f.ignoreDepthValues===!1,storeMultisampledDepthBuffer:f.ignoreDepthValues===!1,storeMultisampledStencilBuffer:f.ignoreDepthValues===!1})}w.isXRRenderTarget=!0,this.setFoveation(l),c=null,o=await s.requestReferenceSpace(a),ue.setContext(s),ue.start(),n.isPresenting=!0,n.dispatchEvent({type:"sessionstart"})}},this.getEnvironmentBlendMode=function(){if(s!==null)return s.environmentBlendMode},this.getDepthTexture=function(){return g.getDepthTexture()};function ce(ee){for(let me=0;me<ee.removed.length;me++){let ye=ee.removed[me],Ae=T.indexOf(ye);Ae>=0&&(T[Ae]=null,P[Ae].disconnect(ye))}for(let me=0;me<ee.added.length;me++){let ye=ee.added[me],Ae=T.indexOf(ye);if(Ae===-1){for(let He=0;He<P.length;He++)if(He>=T.length){T.push(ye),Ae=He;break}else if(T[He]===null){T[He]=ye,Ae=He;break}if(Ae===-1)break}let Se=P[Ae];Se&&Se.connect(ye)}}function J(ee,me){me===null?ee.matrixWorld.copy(ee.matrix):ee.matrixWorld.multiplyMatrices(me.matrixWorld,ee.matrix),ee.matrixWorldInverse.copy(ee.matrixWorld).invert()}this.updateCamera=function(ee){if(s===null)return;let me=ee.near,ye=ee.far;g.texture!==null&&(g.depthNear>0&&(me=g.depthNear),g.depthFar>0&&(ye=g.depthFar)),W.near=L.near=N.near=me,W.far=L.far=N.far=ye,(D!==W.near||G!==W.far)&&(s.updateRenderState({depthNear:W.near,depthFar:W.far}),D=W.near,G=W.far),W.layers.mask=ee.layers.mask|6,N.layers.mask=W.layers.mask&-5,L.layers.mask=W.layers.mask&-3;let Ae=ee.parent,Se=W.cameras;J(W,Ae);for(let He=0;He<Se.length;He++)J(Se[He],Ae);W.projectionMatrix.copy(N.projectionMatrix),W.projectionMatrixInverse.copy(N.projectionMatrixInverse),z===null&&ee.isPerspectiveCamera&&(z={camera:ee,fov:ee.fov,zoom:ee.zoom}),Q(ee,W,Ae)};function Q(ee,me,ye){ye===null?ee.matrix.copy(me.matrixWorld):(ee.matrix.copy(ye.matrixWorld),ee.matrix.invert(),ee.matrix.multiply(me.matrixWorld)),ee.matrix.decompose(ee.position,ee.quaternion,ee.scale),ee.updateMatrixWorld(!0),ee.projectionMatrix.copy(me.projectionMatrix),ee.projectionMatrixInverse.copy(me.projectionMatrixInverse),ee.isPerspectiveCamera&&(ee.fov=bo*2*Math.atan(1/ee.projectionMatrix.elements[5]),ee.zoom=1)}this.getCamera=function(){return W},this.getFoveation=function(){if(!(d===null&&f===null))return l},this.setFoveation=function(ee){l=ee,d!==null&&(d.fixedFoveation=ee),f!==null&&f.fixedFoveation!==void 0&&(f.fixedFoveation=ee)},this.hasDepthSensing=function(){return g.texture!==null},this.getDepthSensingMesh=function(){return g.getMesh(W)},this.getCameraTexture=function(ee){return p[ee]};let se=null;function de(ee,me){if(h=me.getViewerPose(c||o),m=me,h!==null){let ye=h.views;f!==null&&(e.setRenderTargetFramebuffer(w,f.framebuffer),e.setRenderTarget(w));let Ae=!1;ye.length!==W.cameras.length&&(W.cameras.length=0,Ae=!0);for(let Ve=0;Ve<ye.length;Ve++){let ut=ye[Ve],lt=null;if(f!==null)lt=f.getViewport(ut);else{let qt=u.getViewSubImage(d,ut);lt=qt.viewport,Ve===0&&(e.setRenderTargetTextures(w,qt.colorTexture,qt.depthStencilTexture),e.setRenderTarget(w))}let nt=H[Ve];nt===void 0&&(nt=new Jn,nt.layers.enable(Ve),nt.viewport=new Lt,H[Ve]=nt),nt.matrix.fromArray(ut.transform.matrix),nt.matrix.decompose(nt.position,nt.quaternion,nt.scale),nt.projectionMatrix.fromArray(ut.projectionMatrix),nt.projectionMatrixInverse.copy(nt.projectionMatrix).invert(),nt.viewport.set(lt.x,lt.y,lt.width,lt.height),Ve===0&&(W.matrix.copy(nt.matrix),W.matrix.decompose(W.position,W.quaternion,W.scale)),Ae===!0&&W.cameras.push(nt)}let Se=s.enabledFeatures;if(Se&&Se.includes("depth-sensing")&&s.depthUsage=="gpu-optimized"&&x){u=n.getBinding();let Ve=u.getDepthInformation(ye[0]);Ve&&Ve.isValid&&Ve.texture&&g.init(Ve,s.renderState)}if(Se&&Se.includes("camera-access")&&x){e.state.unbindTexture(),u=n.getBinding();for(let Ve=0;Ve<ye.length;Ve++){let ut=ye[Ve].camera;if(ut){let lt=p[ut];lt||(lt=new Ra,p[ut]=lt);let nt=u.getCameraImage(ut);lt.sourceTexture=nt}}}}for(let ye=0;ye<P.length;ye++){let Ae=T[ye],Se=P[ye];Ae!==null&&Se!==void 0&&Se.update(Ae,me,c||o)}se&&se(ee,me),me.detectedPlanes&&n.dispatchEvent({type:"planesdetected",data:me}),m=null}let ue=new z1;ue.setAnimationLoop(de),this.setAnimationLoop=function(ee){se=ee},this.dispose=function(){}}},WS=new Bt,K1=new tt;K1.set(-1,0,0,0,1,0,0,0,1);function XS(i,e){function t(g,p){g.matrixAutoUpdate===!0&&g.updateMatrix(),p.value.copy(g.matrix)}function n(g,p){p.color.getRGB(g.fogColor.value,xf(i)),p.isFog?(g.fogNear.value=p.near,g.fogFar.value=p.far):p.isFogExp2&&(g.fogDensity.value=p.density)}function s(g,p,b,A,w){p.isNodeMaterial?p.uniformsNeedUpdate=!1:p.isMeshBasicMaterial?r(g,p):p.isMeshLambertMaterial?(r(g,p),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)):p.isMeshToonMaterial?(r(g,p),u(g,p)):p.isMeshPhongMaterial?(r(g,p),h(g,p),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)):p.isMeshStandardMaterial?(r(g,p),d(g,p),p.isMeshPhysicalMaterial&&f(g,p,w)):p.isMeshMatcapMaterial?(r(g,p),m(g,p)):p.isMeshDepthMaterial?r(g,p):p.isMeshDistanceMaterial?(r(g,p),x(g,p)):p.isMeshNormalMaterial?r(g,p):p.isLineBasicMaterial?(o(g,p),p.isLineDashedMaterial&&a(g,p)):p.isPointsMaterial?l(g,p,b,A):p.isSpriteMaterial?c(g,p):p.isShadowMaterial?(g.color.value.copy(p.color),g.opacity.value=p.opacity):p.isShaderMaterial&&(p.uniformsNeedUpdate=!1)}function r(g,p){g.opacity.value=p.opacity,p.color&&g.diffuse.value.copy(p.color),p.emissive&&g.emissive.value.copy(p.emissive).multiplyScalar(p.emissiveIntensity),p.map&&(g.map.value=p.map,t(p.map,g.mapTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,t(p.alphaMap,g.alphaMapTransform)),p.bumpMap&&(g.bumpMap.value=p.bumpMap,t(p.bumpMap,g.bumpMapTransform),g.bumpScale.value=p.bumpScale,p.side===ei&&(g.bumpScale.value*=-1)),p.normalMap&&(g.normalMap.value=p.normalMap,t(p.normalMap,g.normalMapTransform),g.normalScale.value.copy(p.normalScale),p.side===ei&&g.normalScale.value.negate()),p.displacementMap&&(g.displacementMap.value=p.displacementMap,t(p.displacementMap,g.displacementMapTransform),g.displacementScale.value=p.displacementScale,g.displacementBias.value=p.displacementBias),p.emissiveMap&&(g.emissiveMap.value=p.emissiveMap,t(p.emissiveMap,g.emissiveMapTransform)),p.specularMap&&(g.specularMap.value=p.specularMap,t(p.specularMap,g.specularMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest);let b=e.get(p),A=b.envMap,w=b.envMapRotation;A&&(g.envMap.value=A,g.envMapRotation.value.setFromMatrix4(WS.makeRotationFromEuler(w)).transpose(),A.isCubeTexture&&A.isRenderTargetTexture===!1&&g.envMapRotation.value.premultiply(K1),g.reflectivity.value=p.reflectivity,g.ior.value=p.ior,g.refractionRatio.value=p.refractionRatio),p.lightMap&&(g.lightMap.value=p.lightMap,g.lightMapIntensity.value=p.lightMapIntensity,t(p.lightMap,g.lightMapTransform)),p.aoMap&&(g.aoMap.value=p.aoMap,g.aoMapIntensity.value=p.aoMapIntensity,t(p.aoMap,g.aoMapTransform))}function o(g,p){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,p.map&&(g.map.value=p.map,t(p.map,g.mapTransform))}function a(g,p){g.dashSize.value=p.dashSize,g.totalSize.value=p.dashSize+p.gapSize,g.scale.value=p.scale}function l(g,p,b,A){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,g.size.value=p.size*b,g.scale.value=A*.5,p.map&&(g.map.value=p.map,t(p.map,g.uvTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,t(p.alphaMap,g.alphaMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest)}function c(g,p){g.diffuse.value.copy(p.color),g.opacity.value=p.opacity,g.rotation.value=p.rotation,p.map&&(g.map.value=p.map,t(p.map,g.mapTransform)),p.alphaMap&&(g.alphaMap.value=p.alphaMap,t(p.alphaMap,g.alphaMapTransform)),p.alphaTest>0&&(g.alphaTest.value=p.alphaTest)}function h(g,p){g.specular.value.copy(p.specular),g.shininess.value=Math.max(p.shininess,1e-4)}function u(g,p){p.gradientMap&&(g.gradientMap.value=p.gradientMap)}function d(g,p){g.metalness.value=p.metalness,p.metalnessMap&&(g.metalnessMap.value=p.metalnessMap,t(p.metalnessMap,g.metalnessMapTransform)),g.roughness.value=p.roughness,p.roughnessMap&&(g.roughnessMap.value=p.roughnessMap,t(p.roughnessMap,g.roughnessMapTransform)),p.envMap&&(g.envMapIntensity.value=p.envMapIntensity)}function f(g,p,b){g.ior.value=p.ior,p.diffuseRoughness>0&&(g.diffuseRoughness.value=p.diffuseRoughness,p.diffuseRoughnessMap&&(g.diffuseRoughnessMap.value=p.diffuseRoughnessMap,t(p.diffuseRoughnessMap,g.diffuseRoughnessMapTransform))),p.sheen>0&&(g.sheenColor.value.copy(p.sheenColor).multiplyScalar(p.sheen),g.sheenRoughness.value=p.sheenRoughness,p.sheenColorMap&&(g.sheenColorMap.value=p.sheenColorMap,t(p.sheenColorMap,g.sheenColorMapTransform)),p.sheenRoughnessMap&&(g.sheenRoughnessMap.value=p.sheenRoughnessMap,t(p.sheenRoughnessMap,g.sheenRoughnessMapTransform))),p.clearcoat>0&&(g.clearcoat.value=p.clearcoat,g.clearcoatRoughness.value=p.clearcoatRoughness,p.clearcoatMap&&(g.clearcoatMap.value=p.clearcoatMap,t(p.clearcoatMap,g.clearcoatMapTransform)),p.clearcoatRoughnessMap&&(g.clearcoatRoughnessMap.value=p.clearcoatRoughnessMap,t(p.clearcoatRoughnessMap,g.clearcoatRoughnessMapTransform)),p.clearcoatNormalMap&&(g.clearcoatNormalMap.value=p.clearcoatNormalMap,t(p.clearcoatNormalMap,g.clearcoatNormalMapTransform),g.clearcoatNormalScale.value.copy(p.clearcoatNormalScale),p.side===ei&&g.clearcoatNormalScale.value.negate())),p.dispersion>0&&(g.dispersion.value=p.dispersion),p.retroreflectivity>0&&(g.retroreflectivity.value=p.retroreflectivity),p.iridescence>0&&(g.iridescence.value=p.iridescence,g.iridescenceIOR.value=p.iridescenceIOR,g.iridescenceThicknessMinimum.value=p.iridescenceThicknessMinimum,g.iridescenceThicknessMaximum.value=p.iridescenceThicknessMaximum,p.iridescenceMap&&(g.iridescenceMap.value=p.iridescenceMap,t(p.iridescenceMap,g.iridescenceMapTransform)),p.iridescenceThicknessMap&&(g.iridescenceThicknessMap.value=p.iridescenceThicknessMap,t(p.iridescenceThicknessMap,g.iridescenceThicknessMapTransform))),p.transmission>0&&(g.transmission.value=p.transmission,g.transmissionSamplerMap.value=b.texture,g.transmissionSamplerSize.value.set(b.width,b.height),p.transmissionMap&&(g.transmissionMap.value=p.transmissionMap,t(p.transmissionMap,g.transmissionMapTransform)),g.thickness.value=p.thickness,p.thicknessMap&&(g.thicknessMap.value=p.thicknessMap,t(p.thicknessMap,g.thicknessMapTransform)),g.attenuationDistance.value=p.attenuationDistance,g.attenuationColor.value.copy(p.attenuationColor)),p.anisotropy>0&&(g.anisotropyVector.value.set(p.anisotropy*Math.cos(p.anisotropyRotation),p.anisotropy*Math.sin(p.anisotropyRotation)),p.anisotropyMap&&(g.anisotropyMap.value=p.anisotropyMap,t(p.anisotropyMap,g.anisotropyMapTransform))),g.specularIntensity.value=p.specularIntensity,g.specularColor.value.copy(p.specularColor),p.specularColorMap&&(g.specularColorMap.value=p.specularColorMap,t(p.specularColorMap,g.specularColorMapTransform)),p.specularIntensityMap&&(g.specularIntensityMap.value=p.specularIntensityMap,t(p.specularIntensityMap,g.specularIntensityMapTransform))}function m(g,p){p.matcap&&(g.matcap.value=p.matcap)}function x(g,p){let b=e.get(p).light;g.referencePosition.value.setFromMatrixPosition(b.matrixWorld),g.nearDistance.value=b.shadow.camera.near,g.farDistance.value=b.shadow.camera.far}return{refreshFogUniforms:n,refreshMaterialUniforms:s}}function qS(i,e,t,n){let s={},r={};function o(b,A){let w=A.program;n.uniformBlockBinding(b,w,s[b.id])}function a(b,A){let w=s[b.id];w===void 0&&(m(b),w=l(b),s[b.id]=w,b.addEventListener("dispose",g));let P=A.program;n.updateUBOMapping(b,P);let T=e.render.frame;r[b.id]!==T&&(c(b),r[b.id]=T)}function l(b){let A=i.createBuffer(),w=b.__size,P=b.usage;return i.bindBuffer(i.UNIFORM_BUFFER,A),i.bufferData(i.UNIFORM_BUFFER,w,P),i.bindBuffer(i.UNIFORM_BUFFER,null),A}function c(b){let A=s[b.id],w=b.uniforms,P=b.__cache;i.bindBuffer(i.UNIFORM_BUFFER,A);for(let T=0,y=w.length;T<y;T++){let E=w[T];if(Array.isArray(E))for(let z=0,N=E.length;z<N;z++)h(E[z],T,z,P);else h(E,T,0,P)}i.bindBuffer(i.UNIFORM_BUFFER,null)}function h(b,A,w,P){if(d(b,A,w,P)===!0){let T=b.__offset,y=b.value;if(Array.isArray(y)){let E=0;for(let z=0;z<y.length;z++){let N=y[z],L=x(N,!0);u(N,b.__data,E),E+=L.storage/Float32Array.BYTES_PER_ELEMENT}}else u(y,b.__data,0);i.bufferSubData(i.UNIFORM_BUFFER,T,b.__data)}}function u(b,A,w){typeof b=="number"||typeof b=="boolean"?A[w]=b:b.isMatrix3?(A[w]=b.elements[0],A[w+1]=b.elements[1],A[w+2]=b.elements[2],A[w+3]=0,A[w+4]=b.elements[3],A[w+5]=b.elements[4],A[w+6]=b.elements[5],A[w+7]=0,A[w+8]=b.elements[6],A[w+9]=b.elements[7],A[w+10]=b.elements[8],A[w+11]=0):ArrayBuffer.isView(b)?A.set(b.subarray(0,A.length-w),w):b.toArray(A,w)}function d(b,A,w,P){let T=b.value,y=A+"_"+w;if(Array.isArray(T)){P[y]===void 0&&(P[y]=[]);let E=P[y],z=!1;for(let N=0;N<T.length;N++)f(T[N],E,N)===!0&&(z=!0);return z}return f(T,P,y)}function f(b,A,w){if(A[w]===void 0)return typeof b=="number"||typeof b=="boolean"?A[w]=b:ArrayBuffer.isView(b)?A[w]=b.slice():A[w]=b.clone(),!0;{let P=A[w];if(typeof b=="number"||typeof b=="boolean"){if(P!==b)return A[w]=b,!0}else{if(ArrayBuffer.isView(b))return!0;if(P.equals(b)===!1)return P.copy(b),!0}}return!1}function m(b){let A=b.uniforms,w=0,P=16;for(let y=0,E=A.length;y<E;y++){let z=Array.isArray(A[y])?A[y]:[A[y]];for(let N=0,L=z.length;N<L;N++){let H=z[N],W=Array.isArray(H.value)?H.value:[H.value],D=Array.isArray(A[y])||Array.isArray(H.value),G=w;for(let B=0,ce=W.length;B<ce;B++){let J=W[B],Q=x(J,D),se=w%P,de=se%Q.boundary,ue=se+de;w+=de,ue!==0&&P-ue<Q.storage&&(w+=P-ue),B===0&&(G=w),w+=Q.storage}let K=H.type==="int"?Int32Array:H.type==="uint"?Uint32Array:Float32Array;H.__data=new K((w-G)/Float32Array.BYTES_PER_ELEMENT),H.__offset=G}}let T=w%P;return T>0&&(w+=P-T),b.__size=w,b.__cache={},this}function x(b,A){let w={boundary:0,storage:0};return typeof b=="number"||typeof b=="boolean"?(w.boundary=4,w.storage=4):b.isVector2?(w.boundary=8,w.storage=8):b.isVector3||b.isColor?(w.boundary=16,w.storage=12):b.isVector4?(w.boundary=16,w.storage=16):b.isMatrix3?(w.boundary=16,w.storage=48):b.isMatrix4?(w.boundary=16,w.storage=64):b.isTexture?qe("WebGLRenderer: Texture samplers can not be part of an uniforms group."):ArrayBuffer.isView(b)?(w.boundary=16,w.storage=b.byteLength):qe("WebGLRenderer: Unsupported uniform value type.",b),A===!0&&(w.boundary=16,w.storage=Math.ceil(w.storage/16)*16),w}function g(b){let A=b.target;A.removeEventListener("dispose",g),i.deleteBuffer(s[A.id]),delete s[A.id],delete r[A.id]}function p(){for(let b in s)i.deleteBuffer(s[b]);s={},r={}}return{bind:o,update:a,dispose:p}}var $S=new Uint16Array([12469,15057,12620,14925,13266,14620,13807,14376,14323,13990,14545,13625,14713,13328,14840,12882,14931,12528,14996,12233,15039,11829,15066,11525,15080,11295,15085,10976,15082,10705,15073,10495,13880,14564,13898,14542,13977,14430,14158,14124,14393,13732,14556,13410,14702,12996,14814,12596,14891,12291,14937,11834,14957,11489,14958,11194,14943,10803,14921,10506,14893,10278,14858,9960,14484,14039,14487,14025,14499,13941,14524,13740,14574,13468,14654,13106,14743,12678,14818,12344,14867,11893,14889,11509,14893,11180,14881,10751,14852,10428,14812,10128,14765,9754,14712,9466,14764,13480,14764,13475,14766,13440,14766,13347,14769,13070,14786,12713,14816,12387,14844,11957,14860,11549,14868,11215,14855,10751,14825,10403,14782,10044,14729,9651,14666,9352,14599,9029,14967,12835,14966,12831,14963,12804,14954,12723,14936,12564,14917,12347,14900,11958,14886,11569,14878,11247,14859,10765,14828,10401,14784,10011,14727,9600,14660,9289,14586,8893,14508,8533,15111,12234,15110,12234,15104,12216,15092,12156,15067,12010,15028,11776,14981,11500,14942,11205,14902,10752,14861,10393,14812,9991,14752,9570,14682,9252,14603,8808,14519,8445,14431,8145,15209,11449,15208,11451,15202,11451,15190,11438,15163,11384,15117,11274,15055,10979,14994,10648,14932,10343,14871,9936,14803,9532,14729,9218,14645,8742,14556,8381,14461,8020,14365,7603,15273,10603,15272,10607,15267,10619,15256,10631,15231,10614,15182,10535,15118,10389,15042,10167,14963,9787,14883,9447,14800,9115,14710,8665,14615,8318,14514,7911,14411,7507,14279,7198,15314,9675,15313,9683,15309,9712,15298,9759,15277,9797,15229,9773,15166,9668,15084,9487,14995,9274,14898,8910,14800,8539,14697,8234,14590,7790,14479,7409,14367,7067,14178,6621,15337,8619,15337,8631,15333,8677,15325,8769,15305,8871,15264,8940,15202,8909,15119,8775,15022,8565,14916,8328,14804,8009,14688,7614,14569,7287,14448,6888,14321,6483,14088,6171,15350,7402,15350,7419,15347,7480,15340,7613,15322,7804,15287,7973,15229,8057,15148,8012,15046,7846,14933,7611,14810,7357,14682,7069,14552,6656,14421,6316,14251,5948,14007,5528,15356,5942,15356,5977,15353,6119,15348,6294,15332,6551,15302,6824,15249,7044,15171,7122,15070,7050,14949,6861,14818,6611,14679,6349,14538,6067,14398,5651,14189,5311,13935,4958,15359,4123,15359,4153,15356,4296,15353,4646,15338,5160,15311,5508,15263,5829,15188,6042,15088,6094,14966,6001,14826,5796,14678,5543,14527,5287,14377,4985,14133,4586,13869,4257,15360,1563,15360,1642,15358,2076,15354,2636,15341,3350,15317,4019,15273,4429,15203,4732,15105,4911,14981,4932,14836,4818,14679,4621,14517,4386,14359,4156,14083,3795,13808,3437,15360,122,15360,137,15358,285,15355,636,15344,1274,15322,2177,15281,2765,15215,3223,15120,3451,14995,3569,14846,3567,14681,3466,14511,3305,14344,3121,14037,2800,13753,2467,15360,0,15360,1,15359,21,15355,89,15346,253,15325,479,15287,796,15225,1148,15133,1492,15008,1749,14856,1882,14685,1886,14506,1783,14324,1608,13996,1398,13702,1183]),ss=null;function YS(){return ss===null&&(ss=new Pc($S,16,16,er,Gi),ss.name="DFG_LUT",ss.minFilter=jn,ss.magFilter=jn,ss.wrapS=es,ss.wrapT=es,ss.generateMipmaps=!1,ss.needsUpdate=!0),ss}var Vh=class{constructor(e={}){let{canvas:t=d1(),context:n=null,depth:s=!0,stencil:r=!1,alpha:o=!1,antialias:a=!1,premultipliedAlpha:l=!0,preserveDrawingBuffer:c=!1,powerPreference:h="default",failIfMajorPerformanceCaveat:u=!1,reversedDepthBuffer:d=!1,outputBufferType:f=bi}=e;this.isWebGLRenderer=!0;let m;if(n!==null){if(typeof WebGLRenderingContext<"u"&&n instanceof WebGLRenderingContext)throw new Error("THREE.WebGLRenderer: WebGL 1 is not supported since r163.");m=n.getContextAttributes().alpha}else m=o;let x=f,g=new Set([rh,sh,ih]),p=new Set([bi,zi,Do,Ar,th,nh]),b=new Uint32Array(4),A=new Int32Array(4),w={textures:[],min:[],max:[],resolution:[]},P=null,T=null,y=[],E=[],z=null;this.domElement=t,this.debug={checkShaderErrors:!0,diagnostics:{keywords:!1},onShaderError:null},this.autoClear=!0,this.autoClearColor=!0,this.autoClearDepth=!0,this.autoClearStencil=!0,this.sortObjects=!0,this.clippingPlanes=[],this.localClippingEnabled=!1,this.toneMapping=is,this.toneMappingExposure=1,this.transmissionResolutionScale=1;let N=this,L=!1,H=null,W=null,D=null,G=null;this._outputColorSpace=mi;let K=0,B=0,ce=null,J=-1,Q=null,se=new Lt,de=new Lt,ue=null,ee=new Je(0),me=0,ye=t.width,Ae=t.height,Se=1,He=null,st=null,Ve=new Lt(0,0,ye,Ae),ut=new Lt(0,0,ye,Ae),lt=!1,nt=new Mr,qt=new Ic,kt=!1,on=!1,Dt=new Bt,Mn=new V,xt=new Lt,mn={background:null,fog:null,environment:null,overrideMaterial:null,isScene:!0},Kt=!1;function an(){return ce===null?Se:1}let U=n;function Ce(M,O){return t.getContext(M,O)}let $e,rt,Me,Ft,ze,Xe,R,v,X,he,oe,_e,xe,te,ie,pe,F,re,ne,we,ge,be,Ge;try{let M={alpha:!0,depth:s,stencil:r,antialias:a,premultipliedAlpha:l,preserveDrawingBuffer:c,powerPreference:h,failIfMajorPerformanceCaveat:u};if("setAttribute"in t&&t.setAttribute("data-engine",`three.js r${"187"}`),t.addEventListener("webglcontextlost",Oe,!1),t.addEventListener("webglcontextrestored",Ke,!1),t.addEventListener("webglcontextcreationerror",Re,!1),U===null){let O="webgl2";if(U=Ce(O,M),U===null)throw Ce(O)?new Error("THREE.WebGLRenderer: Error creating WebGL context with your selected attributes."):new Error("THREE.WebGLRenderer: Error creating WebGL context.")}Ze()}catch(M){throw t.removeEventListener("webglcontextlost",Oe,!1),t.removeEventListener("webglcontextrestored",Ke,!1),t.removeEventListener("webglcontextcreationerror",Re,!1),Qe("WebGLRenderer: "+M.message),M}function Ze(){$e=new rb(U),$e.init(),ge=new VS(U,$e),rt=new Yv(U,$e,e,ge),Me=new BS(U,$e),rt.reversedDepthBuffer&&d&&Me.buffers.depth.setReversed(!0),W=U.createFramebuffer(),D=U.createFramebuffer(),G=U.createFramebuffer(),Ft=new lb(U),ze=new ES,Xe=new zS(U,$e,Me,ze,rt,ge,Ft),R=new sb(N),v=new hx(U),be=new qv(U,v),X=new ob(U,v,Ft,be),he=new hb(U,X,v,be,Ft),re=new cb(U,rt,Xe),ie=new Zv(ze),oe=new wS(N,R,$e,rt,be,ie),_e=new XS(N,ze),xe=new AS,te=new DS($e),F=new Xv(N,R,Me,he,m,l),pe=new kS(N,he,rt),Ge=new qS(U,Ft,rt,Me),ne=new $v(U,$e,Ft),we=new ab(U,$e,Ft),Ft.programs=oe.programs,N.capabilities=rt,N.extensions=$e,N.properties=ze,N.renderLists=xe,N.shadowMap=pe,N.state=Me,N.info=Ft}x!==bi&&(z=new db(x,t.width,t.height,a,s,r));let le=new Lf(N,U);this.xr=le,this.getContext=function(){return U},this.getContextAttributes=function(){return U.getContextAttributes()},this.forceContextLoss=function(){let M=$e.get("WEBGL_lose_context");M&&M.loseContext()},this.forceContextRestore=function(){let M=$e.get("WEBGL_lose_context");M&&M.restoreContext()},this.getPixelRatio=function(){return Se},this.setPixelRatio=function(M){M!==void 0&&(Se=M,this.setSize(ye,Ae,!1))},this.getSize=function(M){return M.set(ye,Ae)},this.setSize=function(M,O,j=!0){if(le.isPresenting){qe("WebGLRenderer: Can't change size while VR device is presenting.");return}ye=M,Ae=O,t.width=Math.floor(M*Se),t.height=Math.floor(O*Se),j===!0&&(t.style.width=M+"px",t.style.height=O+"px"),z!==null&&z.setSize(t.width,t.height),this.setViewport(0,0,M,O)},this.getDrawingBufferSize=function(M){return M.set(ye*Se,Ae*Se).floor()},this.setDrawingBufferSize=function(M,O,j){ye=M,Ae=O,Se=j,t.width=Math.floor(M*j),t.height=Math.floor(O*j),this.setViewport(0,0,M,O)},this.setEffects=function(M){if(x===bi){Qe("WebGLRenderer: setEffects() requires outputBufferType set to HalfFloatType or FloatType.");return}if(M){for(let O=0;O<M.length;O++)if(M[O].isOutputPass===!0){qe("WebGLRenderer: OutputPass is not needed in setEffects(). Tone mapping and color space conversion are applied automatically.");break}}z.setEffects(M||[])},this.getCurrentViewport=function(M){return M.copy(se)},this.getViewport=function(M){return M.copy(Ve)},this.setViewport=function(M,O,j,$){M.isVector4?Ve.set(M.x,M.y,M.z,M.w):Ve.set(M,O,j,$),Me.viewport(se.copy(Ve).multiplyScalar(an()).round())},this.getScissor=function(M){return M.copy(ut)},this.setScissor=function(M,O,j,$){M.isVector4?ut.set(M.x,M.y,M.z,M.w):ut.set(M,O,j,$),Me.scissor(de.copy(ut).multiplyScalar(an()).round())},this.getScissorTest=function(){return lt},this.setScissorTest=function(M){Me.setScissorTest(lt=M)},this.setOpaqueSort=function(M){He=M},this.setTransparentSort=function(M){st=M},this.getClearColor=function(M){return M.copy(F.getClearColor())},this.setClearColor=function(){F.setClearColor(...arguments)},this.getClearAlpha=function(){return F.getClearAlpha()},this.setClearAlpha=function(){F.setClearAlpha(...arguments)},this.clear=function(M=!0,O=!0,j=!0){let $=0;if(M){let Y=!1;if(ce!==null){let Ee=ce.texture.format;Y=g.has(Ee)}if(Y){let Ee=ce.texture.type,Ie=p.has(Ee),Te=F.getClearColor(),Le=F.getClearAlpha(),Be=Te.r,je=Te.g,dt=Te.b;Ie?(b[0]=Be,b[1]=je,b[2]=dt,b[3]=Le,U.clearBufferuiv(U.COLOR,0,b)):(A[0]=Be,A[1]=je,A[2]=dt,A[3]=Le,U.clearBufferiv(U.COLOR,0,A))}else $|=U.COLOR_BUFFER_BIT}O&&($|=U.DEPTH_BUFFER_BIT,this.state.buffers.depth.setMask(!0)),j&&($|=U.STENCIL_BUFFER_BIT,this.state.buffers.stencil.setMask(4294967295)),$!==0&&U.clear($)},this.clearColor=function(){this.clear(!0,!1,!1)},this.clearDepth=function(){this.clear(!1,!0,!1)},this.clearStencil=function(){this.clear(!1,!1,!0)},this.setNodesHandler=function(M){M.setRenderer(this),H=M},this.dispose=function(){t.removeEventListener("webglcontextlost",Oe,!1),t.removeEventListener("webglcontextrestored",Ke,!1),t.removeEventListener("webglcontextcreationerror",Re,!1),F.dispose(),xe.dispose(),te.dispose(),Xe.dispose(),ze.dispose(),R.dispose(),he.dispose(),X.dispose(),be.dispose(),Ge.dispose(),oe.dispose(),le.dispose(),le.removeEventListener("sessionstart",Ja),le.removeEventListener("sessionend",Wi),ls.stop()};function Oe(M){M.preventDefault(),xa("WebGLRenderer: Context Lost."),L=!0}function Ke(){xa("WebGLRenderer: Context Restored."),L=!1;let M=Ft.autoReset,O=pe.enabled,j=pe.autoUpdate,$=pe.needsUpdate,Y=pe.type;Ze(),Ft.autoReset=M,pe.enabled=O,pe.autoUpdate=j,pe.needsUpdate=$,pe.type=Y}function Re(M){Qe("WebGLRenderer: A WebGL context could not be created. Reason: ",M.statusMessage)}function at(M){let O=M.target;O.removeEventListener("dispose",at),zt(O)}function zt(M){Hn(M),ze.remove(M)}function Hn(M){let O=ze.get(M).programs;O!==void 0&&(O.forEach(function(j){oe.releaseProgram(j)}),M.isShaderMaterial&&oe.releaseShaderCache(M))}this.renderBufferDirect=function(M,O,j,$,Y,Ee){O===null&&(O=mn);let Ie=Y.isMesh&&Y.matrixWorld.determinantAffine()<0,Te=zo(M,O,j,$,Y);Me.setMaterial($,Ie);let Le=j.index,Be=1;if($.wireframe===!0){if(Le=X.getWireframeAttribute(j),Le===void 0)return;Be=2}let je=j.drawRange,dt=j.attributes.position,ke=je.start*Be,ft=(je.start+je.count)*Be;Ee!==null&&(ke=Math.max(ke,Ee.start*Be),ft=Math.min(ft,(Ee.start+Ee.count)*Be)),Le!==null?(ke=Math.max(ke,0),ft=Math.min(ft,Le.count)):dt!=null&&(ke=Math.max(ke,0),ft=Math.min(ft,dt.count));let Yt=ft-ke;if(Yt<0||Yt===1/0)return;be.setup(Y,$,Te,j,Le);let Ct,Pt=ne;if(Le!==null&&(Ct=v.get(Le),Pt=we,Pt.setIndex(Ct)),Y.isMesh)$.wireframe===!0?(Me.setLineWidth($.wireframeLinewidth*an()),Pt.setMode(U.LINES)):Pt.setMode(U.TRIANGLES);else if(Y.isLine){let gn=$.linewidth;gn===void 0&&(gn=1),Me.setLineWidth(gn*an()),Y.isLineSegments?Pt.setMode(U.LINES):Y.isLineLoop?Pt.setMode(U.LINE_LOOP):Pt.setMode(U.LINE_STRIP)}else Y.isPoints?Pt.setMode(U.POINTS):Y.isSprite&&Pt.setMode(U.TRIANGLES);if(Y.isBatchedMesh)if($e.get("WEBGL_multi_draw"))Pt.renderMultiDraw(Y._multiDrawStarts,Y._multiDrawCounts,Y._multiDrawCount);else{let gn=Y._multiDrawStarts,Fe=Y._multiDrawCounts,ln=Y._multiDrawCount,_t=Le?v.get(Le).bytesPerElement:1,hs=ze.get($).currentProgram.getUniforms();for(let cn=0;cn<ln;cn++)hs.setValue(U,"_gl_DrawID",cn),Pt.render(gn[cn]/_t,Fe[cn])}else if(Y.isInstancedMesh)Pt.renderInstances(ke,Yt,Y.count);else if(j.isInstancedBufferGeometry){let gn=j._maxInstanceCount!==void 0?j._maxInstanceCount:1/0,Fe=Math.min(j.instanceCount,gn);Pt.renderInstances(ke,Yt,Fe)}else Pt.render(ke,Yt)};function Oo(M,O,j,$){H!==null&&M.isNodeMaterial&&H.setObject($,M),kt===!0&&ie.setState(M,j,!1),M.transparent===!0&&M.side===ns&&M.forceSinglePass===!1?(M.side=ei,M.needsUpdate=!0,Xi(M,O,$),M.side=Qs,M.needsUpdate=!0,Xi(M,O,$),M.side=ns):Xi(M,O,$)}this.compile=function(M,O,j=null){j===null&&(j=M),H!==null&&H.renderStart(M,O,j),T=te.get(j),T.init(O),E.push(T),j.traverseVisible(function(Y){Y.isLight&&Y.layers.test(O.layers)&&(T.pushLight(Y),Y.castShadow&&T.pushShadow(Y))}),M!==j&&M.traverseVisible(function(Y){Y.isLight&&Y.layers.test(O.layers)&&(T.pushLight(Y),Y.castShadow&&T.pushShadow(Y))}),T.setupLights(),H!==null&&H.updateLights(T.state.lightsArray),on=this.localClippingEnabled,kt=ie.init(this.clippingPlanes,on),kt===!0&&ie.setGlobalState(this.clippingPlanes,O),H!==null&&pe.render(T.state.shadowsArray,j,O);let $=new Set;return M.traverse(function(Y){if(!(Y.isMesh||Y.isPoints||Y.isLine||Y.isSprite))return;let Ee=Y.material;if(Ee)if(Array.isArray(Ee))for(let Ie=0;Ie<Ee.length;Ie++){let Te=Ee[Ie];Oo(Te,j,O,Y),$.add(Te)}else Oo(Ee,j,O,Y),$.add(Ee)}),T=E.pop(),H!==null&&H.renderEnd(),$},this.compileAsync=function(M,O,j=null){let $=this.compile(M,O,j);return new Promise(Y=>{function Ee(){if($.forEach(function(Ie){let Le=ze.get(Ie).currentProgram;(Le===void 0||Le.isReady())&&$.delete(Ie)}),$.size===0){Y(M);return}setTimeout(Ee,10)}$e.get("KHR_parallel_shader_compile")!==null?Ee():setTimeout(Ee,10)})};let Ir=null;function iu(M){Ir&&Ir(M)}function Ja(){ls.stop()}function Wi(){ls.start()}let ls=new z1;ls.setAnimationLoop(iu),typeof self<"u"&&ls.setContext(self),this.setAnimationLoop=function(M){Ir=M,le.setAnimationLoop(M),M===null?ls.stop():ls.start()},le.addEventListener("sessionstart",Ja),le.addEventListener("sessionend",Wi),this.render=function(M,O){if(O!==void 0&&O.isCamera!==!0){Qe("WebGLRenderer.render: camera is not an instance of THREE.Camera.");return}if(L===!0)return;H!==null&&H.renderStart(M,O);let j=le.enabled===!0&&le.isPresenting===!0,$=z!==null&&(ce===null||j)&&z.begin(N,ce);if(M.matrixWorldAutoUpdate===!0&&M.updateMatrixWorld(),O.parent===null&&O.matrixWorldAutoUpdate===!0&&O.updateMatrixWorld(),le.enabled===!0&&le.isPresenting===!0&&(z===null||z.isCompositing()===!1)&&(le.cameraAutoUpdate===!0&&le.updateCamera(O),O=le.getCamera()),M.isScene===!0&&M.onBeforeRender(N,M,O,ce),T=te.get(M,E.length),T.init(O),T.state.textureUnits=Xe.getTextureUnits(),E.push(T),Dt.multiplyMatrices(O.projectionMatrix,O.matrixWorldInverse),O.isArrayCamera?qt.setFromArrayCamera(O):nt.setFromProjectionMatrix(Dt,Ai,O.reversedDepth),on=this.localClippingEnabled,kt=ie.init(this.clippingPlanes,on),P=xe.get(M,y.length),P.init(),y.push(P),this.info.render.frame++,le.enabled===!0&&le.isPresenting===!0){let Ie=N.xr.getDepthSensingMesh();Ie!==null&&cs(Ie,O,-1/0,N.sortObjects)}cs(M,O,0,N.sortObjects),P.finish(),H!==null&&H.updateLights(T.state.lightsArray),N.sortObjects===!0&&P.sort(He,st),Kt=le.enabled===!1||le.isPresenting===!1||le.hasDepthSensing()===!1,Kt&&F.addToRenderList(P,M),this.info.autoReset===!0&&this.info.reset(),kt===!0&&ie.beginShadows();let Y=T.state.shadowsArray;if(pe.render(Y,M,O),kt===!0&&ie.endShadows(),($&&z.hasRenderPass())===!1){let Ie=P.opaque,Te=P.transmissive;if(T.setupLights(),O.isArrayCamera){let Le=O.cameras;if(Te.length>0)for(let Be=0,je=Le.length;Be<je;Be++){let dt=Le[Be];Ci(Ie,Te,M,dt)}Kt&&F.render(M);for(let Be=0,je=Le.length;Be<je;Be++){let dt=Le[Be];ko(P,M,dt,dt.viewport)}}else Te.length>0&&Ci(Ie,Te,M,O),Kt&&F.render(M),ko(P,M,O)}ce!==null&&B===0&&(Xe.updateMultisampleRenderTarget(ce),Xe.updateRenderTargetMipmap(ce)),$&&z.end(N),M.isScene===!0&&M.onAfterRender(N,M,O),be.resetDefaultState(),J=-1,Q=null,E.pop(),E.length>0?(T=E[E.length-1],Xe.setTextureUnits(T.state.textureUnits),kt===!0&&ie.setGlobalState(N.clippingPlanes,T.state.camera)):T=null,y.pop(),y.length>0?P=y[y.length-1]:P=null,H!==null&&H.renderEnd()};function cs(M,O,j,$){if(M.visible===!1)return;if(M.layers.test(O.layers)){if(M.isGroup)j=M.renderOrder;else if(M.isLOD)M.autoUpdate===!0&&M.update(O);else if(M.isLight)T.pushLight(M),M.castShadow&&T.pushShadow(M);else if(M.isSprite){let Ie=O.isArrayCamera?qt:nt;if(!M.frustumCulled||M.intersectsFrustum(Ie)){$&&xt.setFromMatrixPosition(M.matrixWorld).applyMatrix4(Dt);let Te=he.update(M),Le=M.material;Le.visible&&P.push(M,Te,Le,j,xt.z,null,O)}}else if(M.isMesh||M.isLine||M.isPoints){let Ie=O.isArrayCamera?qt:nt;if(!M.frustumCulled||M.intersectsFrustum(Ie)){let Te=he.update(M),Le=M.material;if($&&(M.boundingSphere!==void 0?(M.boundingSphere===null&&M.computeBoundingSphere(),xt.copy(M.boundingSphere.center)):(Te.boundingSphere===null&&Te.computeBoundingSphere(),xt.copy(Te.boundingSphere.center)),xt.applyMatrix4(M.matrixWorld).applyMatrix4(Dt)),Array.isArray(Le)){let Be=Te.groups;for(let je=0,dt=Be.length;je<dt;je++){let ke=Be[je],ft=Le[ke.materialIndex];ft&&ft.visible&&P.push(M,Te,ft,j,xt.z,ke,O)}}else Le.visible&&P.push(M,Te,Le,j,xt.z,null,O)}}}let Ee=M.children;for(let Ie=0,Te=Ee.length;Ie<Te;Ie++)cs(Ee[Ie],O,j,$)}function ko(M,O,j,$){let{opaque:Y,transmissive:Ee,transparent:Ie}=M;T.setupLightsView(j),kt===!0&&ie.setGlobalState(N.clippingPlanes,j),$&&Me.viewport(se.copy($)),Y.length>0&&Jt(Y,O,j),Ee.length>0&&Jt(Ee,O,j),Ie.length>0&&Jt(Ie,O,j),Me.buffers.depth.setTest(!0),Me.buffers.depth.setMask(!0),Me.buffers.color.setMask(!0),Me.setPolygonOffset(!1)}function Ci(M,O,j,$){if((j.isScene===!0?j.overrideMaterial:null)!==null)return;if(T.state.transmissionRenderTarget[$.id]===void 0){let ke=$e.has("EXT_color_buffer_half_float")||$e.has("EXT_color_buffer_float");T.state.transmissionRenderTarget[$.id]=new yi(1,1,{generateMipmaps:!0,type:ke?Gi:bi,minFilter:Ts,samples:Math.max(4,rt.samples),stencilBuffer:r,resolveDepthBuffer:!1,resolveStencilBuffer:!1,storeMultisampledDepthBuffer:!1,storeMultisampledStencilBuffer:!1,colorSpace:pt.workingColorSpace})}let Ee=T.state.transmissionRenderTarget[$.id],Ie=$.viewport||se;Ee.setSize(Ie.z*N.transmissionResolutionScale,Ie.w*N.transmissionResolutionScale);let Te=N.getRenderTarget(),Le=N.getActiveCubeFace(),Be=N.getActiveMipmapLevel();N.setRenderTarget(Ee),N.getClearColor(ee),me=N.getClearAlpha(),me<1&&N.setClearColor(16777215,.5),N.clear(),Kt&&F.render(j);let je=N.toneMapping;N.toneMapping=is;let dt=$.viewport;if($.viewport!==void 0&&($.viewport=void 0),T.setupLightsView($),kt===!0&&ie.setGlobalState(N.clippingPlanes,$),Jt(M,j,$),Xe.updateMultisampleRenderTarget(Ee),Xe.updateRenderTargetMipmap(Ee),$e.has("WEBGL_multisampled_render_to_texture")===!1){let ke=!1;for(let ft=0,Yt=O.length;ft<Yt;ft++){let Ct=O[ft],{object:Pt,geometry:gn,material:Fe,group:ln}=Ct;if(Fe.side===ns&&Pt.layers.test($.layers)){let _t=Fe.side;Fe.side=ei,Fe.needsUpdate=!0,nn(Pt,j,$,gn,Fe,ln),Fe.side=_t,Fe.needsUpdate=!0,ke=!0}}ke===!0&&(Xe.updateMultisampleRenderTarget(Ee),Xe.updateRenderTargetMipmap(Ee))}N.setRenderTarget(Te,Le,Be),N.setClearColor(ee,me),dt!==void 0&&($.viewport=dt),N.toneMapping=je}function Jt(M,O,j){let $=O.isScene===!0?O.overrideMaterial:null;for(let Y=0,Ee=M.length;Y<Ee;Y++){let Ie=M[Y],{object:Te,geometry:Le,group:Be}=Ie,je=Ie.material;je.allowOverride===!0&&$!==null&&(je=$),Te.layers.test(j.layers)&&nn(Te,O,j,Le,je,Be)}}function nn(M,O,j,$,Y,Ee){H!==null&&Y.isNodeMaterial&&H.setObject(M,Y),M.onBeforeRender(N,O,j,$,Y,Ee),M.modelViewMatrix.multiplyMatrices(j.matrixWorldInverse,M.matrixWorld),M.normalMatrix.getNormalMatrix(M.modelViewMatrix),Y.onBeforeRender(N,O,j,$,M,Ee),Y.transparent===!0&&Y.side===ns&&Y.forceSinglePass===!1?(Y.side=ei,Y.needsUpdate=!0,N.renderBufferDirect(j,O,$,Y,M,Ee),Y.side=Qs,Y.needsUpdate=!0,N.renderBufferDirect(j,O,$,Y,M,Ee),Y.side=ns):N.renderBufferDirect(j,O,$,Y,M,Ee),M.onAfterRender(N,O,j,$,Y,Ee)}function sn(M){let O=0;for(let j of M)j.texture!==null&&O++;return O}function Xi(M,O,j){O.isScene!==!0&&(O=mn);let $=ze.get(M),Y=T.state.lights,Ee=T.state.shadowsArray,Ie=Y.state.version,Te=oe.getParameters(M,Y.state,Ee,O,j,T.state.lightProbeGridArray),Le=oe.getProgramCacheKey(Te),Be=$.programs;$.environment=M.isMeshStandardMaterial||M.isMeshLambertMaterial||M.isMeshPhongMaterial?O.environment:null,$.fog=O.fog;let je=M.isMeshStandardMaterial||M.isMeshLambertMaterial&&!M.envMap||M.isMeshPhongMaterial&&!M.envMap;$.envMap=R.get(M.envMap||$.environment,je),$.envMapRotation=$.environment!==null&&M.envMap===null?O.environmentRotation:M.envMapRotation,Be===void 0&&(M.addEventListener("dispose",at),Be=new Map,$.programs=Be,$.programVariants=new Map);let dt=Be.get(Le);if(dt!==void 0){if($.currentProgram===dt&&$.lightsStateVersion===Ie)return Bo(M,Te),dt}else Te.uniforms=oe.getUniforms(M),H!==null&&M.isNodeMaterial&&H.build(M,j,Te),M.onBeforeCompile(Te,N),dt=oe.acquireProgram(Te,Le),Be.set(Le,dt),$.uniforms=Te.uniforms;let ke=$.uniforms;return(!M.isShaderMaterial&&!M.isRawShaderMaterial||M.clipping===!0)&&(ke.clippingPlanes=ie.uniform),Bo(M,Te),$.needsLights=Ps(M),$.lightsStateVersion=Ie,$.needsLights&&(ke.ambientLightColor.value=Y.state.ambient,ke.lightProbe.value=Y.state.probe,ke.sunLights.value=Y.state.sun,ke.sunLightShadows.value=Y.state.sunShadow,ke.directionalLights.value=Y.state.directional,ke.directionalLightShadows.value=Y.state.directionalShadow,ke.spotLights.value=Y.state.spot,ke.spotLightShadows.value=Y.state.spotShadow,ke.rectAreaLights.value=Y.state.rectArea,ke.ltc_1.value=Y.state.rectAreaLTC1,ke.ltc_2.value=Y.state.rectAreaLTC2,ke.pointLights.value=Y.state.point,ke.pointLightShadows.value=Y.state.pointShadow,ke.hemisphereLights.value=Y.state.hemi,ke.sunShadowMatrix.value=Y.state.sunShadowMatrix,ke.sunShadowCascade.value=Y.state.sunShadowCascade,ke.directionalShadowMatrix.value=Y.state.directionalShadowMatrix,ke.spotLightMatrix.value=Y.state.spotLightMatrix,ke.spotLightMap.value=Y.state.spotLightMap,ke.pointShadowMatrix.value=Y.state.pointShadowMatrix),$.numLightProbeGrids=sn(T.state.lightProbeGridArray),$.currentProgram=dt,$.uniformsList=null,dt}function oi(M,O,j,$,Y){let Ee=ze.get(M),Ie=Ee.currentProgram.id+","+$+","+Y,Te=Ee.programVariants.get(Ie);return Te===void 0?(Te=Xi(M,O,j),Ee.programVariants.set(Ie,Te)):(Ee.currentProgram=Te,Ee.uniformsList=null,Ee.outputColorSpace=$,Ee.toneMapping=Y),Te}function Cs(M){if(M.uniformsList===null){let O=M.currentProgram.getUniforms();M.uniformsList=No.seqWithValue(O.seq,M.uniforms)}return M.uniformsList}function Bo(M,O){let j=ze.get(M);j.outputColorSpace=O.outputColorSpace,j.batching=O.batching,j.batchingColor=O.batchingColor,j.instancing=O.instancing,j.instancingColor=O.instancingColor,j.instancingMorph=O.instancingMorph,j.skinning=O.skinning,j.morphTargets=O.morphTargets,j.morphNormals=O.morphNormals,j.morphColors=O.morphColors,j.morphTargetsCount=O.morphTargetsCount,j.numClippingPlanes=O.numClippingPlanes,j.numIntersection=O.numClipIntersection,j.vertexAlphas=O.vertexAlphas,j.vertexTangents=O.vertexTangents,j.toneMapping=O.toneMapping}function zo(M,O,j,$,Y){O.isScene!==!0&&(O=mn),Xe.resetTextureUnits();let Ee=O.fog,Ie=$.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial?O.environment:null,Te=ce===null?N.outputColorSpace:ce.isXRRenderTarget===!0?ce.texture.colorSpace:pt.workingColorSpace,Le=$.isMeshStandardMaterial||$.isMeshLambertMaterial&&!$.envMap||$.isMeshPhongMaterial&&!$.envMap,Be=R.get($.envMap||Ie,Le),je=$.vertexColors===!0&&!!j.attributes.color&&j.attributes.color.itemSize===4,dt=!!j.attributes.tangent&&(!!$.normalMap||$.anisotropy>0),ke=!!j.morphAttributes.position,ft=!!j.morphAttributes.normal,Yt=!!j.morphAttributes.color,Ct=is;$.toneMapped&&(ce===null||ce.isXRRenderTarget===!0)&&(Ct=N.toneMapping);let Pt=j.morphAttributes.position||j.morphAttributes.normal||j.morphAttributes.color,gn=Pt!==void 0?Pt.length:0,Fe=ze.get($),ln=T.state.lights;if(kt===!0&&(on===!0||M!==Q)){let It=M===Q&&$.id===J;ie.setState($,M,It)}let _t=!1,hs=!1;$.version===Fe.__version?Fe.needsLights&&Fe.lightsStateVersion!==ln.state.version||Y.isBatchedMesh&&Fe.batching===!1||!Y.isBatchedMesh&&Fe.batching===!0||Y.isBatchedMesh&&Fe.batchingColor===!0&&Y._colorsTexture===null||Y.isBatchedMesh&&Fe.batchingColor===!1&&Y._colorsTexture!==null||Y.isInstancedMesh&&Fe.instancing===!1||!Y.isInstancedMesh&&Fe.instancing===!0||Y.isSkinnedMesh&&Fe.skinning===!1||!Y.isSkinnedMesh&&Fe.skinning===!0||Y.isInstancedMesh&&Fe.instancingColor===!0&&Y.instanceColor===null||Y.isInstancedMesh&&Fe.instancingColor===!1&&Y.instanceColor!==null||Y.isInstancedMesh&&Fe.instancingMorph===!0&&Y.morphTexture===null||Y.isInstancedMesh&&Fe.instancingMorph===!1&&Y.morphTexture!==null||Fe.envMap!==Be||$.fog===!0&&Fe.fog!==Ee||Fe.numClippingPlanes!==void 0&&(Fe.numClippingPlanes!==ie.numPlanes||Fe.numIntersection!==ie.numIntersection)||Fe.vertexAlphas!==je||Fe.vertexTangents!==dt||Fe.morphTargets!==ke||Fe.morphNormals!==ft||Fe.morphColors!==Yt||Fe.morphTargetsCount!==gn||Fe.numLightProbeGrids!==sn(T.state.lightProbeGridArray)?_t=!0:(Fe.outputColorSpace!==Te||Fe.toneMapping!==Ct)&&(hs=!0):(_t=!0,Fe.__version=$.version);let cn=Fe.currentProgram;(_t===!0||hs===!0)&&(cn=hs===!0?oi($,O,Y,Te,Ct):Xi($,O,Y),H&&$.isNodeMaterial&&H.onUpdateProgram($,cn,Fe));let Nr=!1,qi=!1,us=!1,ct=cn.getUniforms(),jt=Fe.uniforms;if(Me.useProgram(cn.program)&&(Nr=!0,qi=!0,us=!0),$.id!==J&&(J=$.id,qi=!0),Nr||Q!==M){Me.buffers.depth.getReversed()&&M.reversedDepth!==!0&&(M._reversedDepth=!0,M.updateProjectionMatrix()),ct.setValue(U,"projectionMatrix",M.projectionMatrix),ct.setValue(U,"viewMatrix",M.matrixWorldInverse);let hn=ct.map.cameraPosition;hn!==void 0&&hn.setValue(U,Mn.setFromMatrixPosition(M.matrixWorld)),rt.logarithmicDepthBuffer&&ct.setValue(U,"logDepthBufFC",2/(Math.log(M.far+1)/Math.LN2)),($.isMeshPhongMaterial||$.isMeshToonMaterial||$.isMeshLambertMaterial||$.isMeshBasicMaterial||$.isMeshStandardMaterial||$.isShaderMaterial)&&ct.setValue(U,"isOrthographic",M.isOrthographicCamera===!0),Q!==M&&(Q=M,qi=!0,us=!0)}if(Fe.needsLights&&(ln.state.sunShadowMap.length>0&&ct.setValue(U,"sunShadowMap",ln.state.sunShadowMap,Xe),ln.state.directionalShadowMap.length>0&&ct.setValue(U,"directionalShadowMap",ln.state.directionalShadowMap,Xe),ln.state.spotShadowMap.length>0&&ct.setValue(U,"spotShadowMap",ln.state.spotShadowMap,Xe),ln.state.pointShadowMap.length>0&&ct.setValue(U,"pointShadowMap",ln.state.pointShadowMap,Xe)),Y.isSkinnedMesh){ct.setOptional(U,Y,"bindMatrix"),ct.setOptional(U,Y,"bindMatrixInverse");let It=Y.skeleton;It&&(It.boneTexture===null&&It.computeBoneTexture(),ct.setValue(U,"boneTexture",It.boneTexture,Xe))}Y.isBatchedMesh&&(ct.setOptional(U,Y,"batchingTexture"),ct.setValue(U,"batchingTexture",Y._matricesTexture,Xe),ct.setOptional(U,Y,"batchingIdTexture"),ct.setValue(U,"batchingIdTexture",Y._indirectTexture,Xe),ct.setOptional(U,Y,"batchingColorTexture"),Y._colorsTexture!==null&&ct.setValue(U,"batchingColorTexture",Y._colorsTexture,Xe));let Wn=j.morphAttributes;if((Wn.position!==void 0||Wn.normal!==void 0||Wn.color!==void 0)&&re.update(Y,j,cn),(qi||Fe.receiveShadow!==Y.receiveShadow)&&(Fe.receiveShadow=Y.receiveShadow,ct.setValue(U,"receiveShadow",Y.receiveShadow)),($.isMeshStandardMaterial||$.isMeshLambertMaterial||$.isMeshPhongMaterial)&&$.envMap===null&&O.environment!==null&&(jt.envMapIntensity.value=O.environmentIntensity),jt.dfgLUT!==void 0&&(jt.dfgLUT.value=YS()),qi){if(ct.setValue(U,"toneMappingExposure",N.toneMappingExposure),Fe.needsLights&&Lr(jt,us),Ee&&$.fog===!0&&_e.refreshFogUniforms(jt,Ee),_e.refreshMaterialUniforms(jt,$,Se,Ae,T.state.transmissionRenderTarget[M.id]),Fe.needsLights&&Fe.numLightProbeGrids>0){let It=w,hn=0;for(let kn of T.state.lightProbeGridArray)kn.texture!==null&&(It.textures[hn]=kn.texture,It.min[hn]=kn.boundingBox.min,It.max[hn]=kn.boundingBox.max,It.resolution[hn]=kn.resolution,hn++);for(let kn in It)It[kn].length=hn;jt.probesSH.value=It.textures,jt.probesMin.value=It.min,jt.probesMax.value=It.max,jt.probesResolution.value=It.resolution}No.upload(U,Cs(Fe),jt,Xe)}if($.isShaderMaterial&&$.uniformsNeedUpdate===!0&&(No.upload(U,Cs(Fe),jt,Xe),$.uniformsNeedUpdate=!1),$.isSpriteMaterial&&ct.setValue(U,"center",Y.center),ct.setValue(U,"modelViewMatrix",Y.modelViewMatrix),ct.setValue(U,"normalMatrix",Y.normalMatrix),ct.setValue(U,"modelMatrix",Y.matrixWorld),$.uniformsGroups!==void 0){let It=$.uniformsGroups;for(let hn=0,kn=It.length;hn<kn;hn++){let ja=It[hn];Ge.update(ja,cn),Ge.bind(ja,cn)}}return cn}function Lr(M,O){M.ambientLightColor.needsUpdate=O,M.lightProbe.needsUpdate=O,M.sunLights.needsUpdate=O,M.sunLightShadows.needsUpdate=O,M.directionalLights.needsUpdate=O,M.directionalLightShadows.needsUpdate=O,M.pointLights.needsUpdate=O,M.pointLightShadows.needsUpdate=O,M.spotLights.needsUpdate=O,M.spotLightShadows.needsUpdate=O,M.rectAreaLights.needsUpdate=O,M.hemisphereLights.needsUpdate=O}function Ps(M){return M.isMeshLambertMaterial||M.isMeshToonMaterial||M.isMeshPhongMaterial||M.isMeshStandardMaterial||M.isShadowMaterial||M.isShaderMaterial&&M.lights===!0}this.getActiveCubeFace=function(){return K},this.getActiveMipmapLevel=function(){return B},this.getRenderTarget=function(){return ce},this.setRenderTargetTextures=function(M,O,j){let $=ze.get(M);$.__autoAllocateDepthBuffer=M.resolveDepthBuffer===!1,$.__autoAllocateDepthBuffer===!1&&($.__useRenderToTexture=!1),ze.get(M.texture).__webglTexture=O,ze.get(M.depthTexture).__webglTexture=$.__autoAllocateDepthBuffer?void 0:j,$.__hasExternalTextures=!0},this.setRenderTargetFramebuffer=function(M,O){let j=ze.get(M);j.__webglFramebuffer=O,j.__useDefaultFramebuffer=O===void 0},this.setRenderTarget=function(M,O=0,j=0){ce=M,K=O,B=j;let $=null,Y=!1,Ee=!1;if(M){let Te=ze.get(M);if(Te.__useDefaultFramebuffer!==void 0){Me.bindFramebuffer(U.FRAMEBUFFER,Te.__webglFramebuffer),se.copy(M.viewport),de.copy(M.scissor),ue=M.scissorTest,Me.viewport(se),Me.scissor(de),Me.setScissorTest(ue),J=-1;return}else if(Te.__webglFramebuffer===void 0)Xe.setupRenderTarget(M);else if(Te.__hasExternalTextures)Xe.rebindTextures(M,ze.get(M.texture).__webglTexture,ze.get(M.depthTexture).__webglTexture);else if(M.depthBuffer){let je=M.depthTexture;if(Te.__boundDepthTexture!==je){if(je!==null&&ze.has(je)&&(M.width!==je.image.width||M.height!==je.image.height))throw new Error("THREE.WebGLRenderer: Attached DepthTexture is initialized to the incorrect size.");Xe.setupDepthRenderbuffer(M)}}let Le=M.texture;(Le.isData3DTexture||Le.isDataArrayTexture||Le.isCompressedArrayTexture)&&(Ee=!0);let Be=ze.get(M).__webglFramebuffer;M.isWebGLCubeRenderTarget?(Array.isArray(Be[O])?$=Be[O][j]:$=Be[O],Y=!0):M.samples>0&&Xe.useMultisampledRTT(M)===!1?$=ze.get(M).__webglMultisampledFramebuffer:Array.isArray(Be)?$=Be[j]:$=Be,se.copy(M.viewport),de.copy(M.scissor),ue=M.scissorTest}else se.copy(Ve).multiplyScalar(Se).floor(),de.copy(ut).multiplyScalar(Se).floor(),ue=lt;if(j!==0&&($=W),Me.bindFramebuffer(U.FRAMEBUFFER,$)&&Me.drawBuffers(M,$),Me.viewport(se),Me.scissor(de),Me.setScissorTest(ue),Y){let Te=ze.get(M.texture);U.framebufferTexture2D(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_CUBE_MAP_POSITIVE_X+O,Te.__webglTexture,j)}else if(Ee){let Te=O;for(let Le=0;Le<M.textures.length;Le++){let Be=ze.get(M.textures[Le]);U.framebufferTextureLayer(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0+Le,Be.__webglTexture,j,Te)}}else if(M!==null&&j!==0){let Te=ze.get(M.texture);U.framebufferTexture2D(U.FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,Te.__webglTexture,j)}J=-1};function Dr(M){let O=ze.get(M);return(O.__readFormat!==M.format||O.__readType!==M.type)&&(O.__readFormat=M.format,O.__readType=M.type,O.__formatReadable=rt.textureFormatReadable(M.format),O.__typeReadable=rt.textureTypeReadable(M.type)),O}this.readRenderTargetPixels=function(M,O,j,$,Y,Ee,Ie,Te=0){if(!(M&&M.isWebGLRenderTarget)){Qe("WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");return}let Le=ze.get(M).__webglFramebuffer;if(M.isWebGLCubeRenderTarget&&Ie!==void 0&&(Le=Le[Ie],Array.isArray(Le)&&(Le=Le[0])),Le){Me.bindFramebuffer(U.FRAMEBUFFER,Le);try{let Be=M.textures[Te],je=Be.format,dt=Be.type;M.textures.length>1&&U.readBuffer(U.COLOR_ATTACHMENT0+Te);let ke=Dr(Be);if(ke.__formatReadable===!1){Qe("WebGLRenderer.readRenderTargetPixels: renderTarget is not in RGBA or implementation defined format.");return}if(ke.__typeReadable===!1){Qe("WebGLRenderer.readRenderTargetPixels: renderTarget is not in UnsignedByteType or implementation defined type.");return}O>=0&&O<=M.width-$&&j>=0&&j<=M.height-Y&&U.readPixels(O,j,$,Y,ge.convert(je),ge.convert(dt),Ee)}finally{let Be=ce!==null?ze.get(ce).__webglFramebuffer:null;Me.bindFramebuffer(U.FRAMEBUFFER,Be)}}},this.readRenderTargetPixelsAsync=async function(M,O,j,$,Y,Ee,Ie,Te=0){if(!(M&&M.isWebGLRenderTarget))throw new Error("THREE.WebGLRenderer.readRenderTargetPixels: renderTarget is not THREE.WebGLRenderTarget.");let Le=ze.get(M).__webglFramebuffer;if(M.isWebGLCubeRenderTarget&&Ie!==void 0&&(Le=Le[Ie],Array.isArray(Le)&&(Le=Le[0])),Le)if(O>=0&&O<=M.width-$&&j>=0&&j<=M.height-Y){Me.bindFramebuffer(U.FRAMEBUFFER,Le);let Be=M.textures[Te],je=Be.format,dt=Be.type;M.textures.length>1&&U.readBuffer(U.COLOR_ATTACHMENT0+Te);let ke=Dr(Be);if(ke.__formatReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in RGBA or implementation defined format.");if(ke.__typeReadable===!1)throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: renderTarget is not in UnsignedByteType or implementation defined type.");let ft=U.createBuffer();U.bindBuffer(U.PIXEL_PACK_BUFFER,ft),U.bufferData(U.PIXEL_PACK_BUFFER,Ee.byteLength,U.STREAM_READ),U.readPixels(O,j,$,Y,ge.convert(je),ge.convert(dt),0),U.bindBuffer(U.PIXEL_PACK_BUFFER,null);let Yt=ce!==null?ze.get(ce).__webglFramebuffer:null;Me.bindFramebuffer(U.FRAMEBUFFER,Yt);let Ct=U.fenceSync(U.SYNC_GPU_COMMANDS_COMPLETE,0);return U.flush(),await p1(U,Ct,4),U.bindBuffer(U.PIXEL_PACK_BUFFER,ft),U.getBufferSubData(U.PIXEL_PACK_BUFFER,0,Ee),U.bindBuffer(U.PIXEL_PACK_BUFFER,null),U.deleteBuffer(ft),U.deleteSync(Ct),Ee}else throw new Error("THREE.WebGLRenderer.readRenderTargetPixelsAsync: requested read bounds are out of range.")},this.copyFramebufferToTexture=function(M,O=null,j=0){let $=Math.pow(2,-j),Y=Math.floor(M.image.width*$),Ee=Math.floor(M.image.height*$),Ie=O!==null?O.x:0,Te=O!==null?O.y:0;Xe.setTexture2D(M,0),U.copyTexSubImage2D(U.TEXTURE_2D,j,0,0,Ie,Te,Y,Ee),Me.unbindTexture()},this.copyTextureToTexture=function(M,O,j=null,$=null,Y=0,Ee=0){let Ie,Te,Le,Be,je,dt,ke,ft,Yt,Ct=M.isCompressedTexture?M.mipmaps[Ee]:M.image;if(j!==null)Ie=j.max.x-j.min.x,Te=j.max.y-j.min.y,Le=j.isBox3?j.max.z-j.min.z:1,Be=j.min.x,je=j.min.y,dt=j.isBox3?j.min.z:0;else{let ct=Math.pow(2,-Y);Ie=Math.floor(Ct.width*ct),Te=Math.floor(Ct.height*ct),M.isDataArrayTexture?Le=Ct.depth:M.isData3DTexture?Le=Math.floor(Ct.depth*ct):Le=1,Be=0,je=0,dt=0}$!==null?(ke=$.x,ft=$.y,Yt=$.z):(ke=0,ft=0,Yt=0);let Pt=ge.convert(O.format),gn=ge.convert(O.type),Fe;O.isData3DTexture?(Xe.setTexture3D(O,0),Fe=U.TEXTURE_3D):O.isDataArrayTexture||O.isCompressedArrayTexture?(Xe.setTexture2DArray(O,0),Fe=U.TEXTURE_2D_ARRAY):(Xe.setTexture2D(O,0),Fe=U.TEXTURE_2D),Me.activeTexture(U.TEXTURE0),Me.pixelStorei(U.UNPACK_FLIP_Y_WEBGL,O.flipY),Me.pixelStorei(U.UNPACK_PREMULTIPLY_ALPHA_WEBGL,O.premultiplyAlpha),Me.pixelStorei(U.UNPACK_ALIGNMENT,O.unpackAlignment);let ln=Me.getParameter(U.UNPACK_ROW_LENGTH),_t=Me.getParameter(U.UNPACK_IMAGE_HEIGHT),hs=Me.getParameter(U.UNPACK_SKIP_PIXELS),cn=Me.getParameter(U.UNPACK_SKIP_ROWS),Nr=Me.getParameter(U.UNPACK_SKIP_IMAGES);Me.pixelStorei(U.UNPACK_ROW_LENGTH,Ct.width),Me.pixelStorei(U.UNPACK_IMAGE_HEIGHT,Ct.height),Me.pixelStorei(U.UNPACK_SKIP_PIXELS,Be),Me.pixelStorei(U.UNPACK_SKIP_ROWS,je),Me.pixelStorei(U.UNPACK_SKIP_IMAGES,dt);let qi=M.isDataArrayTexture||M.isData3DTexture,us=O.isDataArrayTexture||O.isData3DTexture;if(M.isDepthTexture){let ct=ze.get(M),jt=ze.get(O),Wn=ze.get(ct.__renderTarget),It=ze.get(jt.__renderTarget);Me.bindFramebuffer(U.READ_FRAMEBUFFER,Wn.__webglFramebuffer),Me.bindFramebuffer(U.DRAW_FRAMEBUFFER,It.__webglFramebuffer);for(let hn=0;hn<Le;hn++)qi&&(U.framebufferTextureLayer(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,ze.get(M).__webglTexture,Y,dt+hn),U.framebufferTextureLayer(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,ze.get(O).__webglTexture,Ee,Yt+hn)),U.blitFramebuffer(Be,je,Be+Ie,je+Te,ke,ft,ke+Ie,ft+Te,U.DEPTH_BUFFER_BIT,U.NEAREST);Me.bindFramebuffer(U.READ_FRAMEBUFFER,null),Me.bindFramebuffer(U.DRAW_FRAMEBUFFER,null)}else if(Y!==0||M.isRenderTargetTexture||ze.has(M)){let ct=ze.get(M),jt=ze.get(O);Me.bindFramebuffer(U.READ_FRAMEBUFFER,D),Me.bindFramebuffer(U.DRAW_FRAMEBUFFER,G);for(let Wn=0;Wn<Le;Wn++)qi?U.framebufferTextureLayer(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,ct.__webglTexture,Y,dt+Wn):U.framebufferTexture2D(U.READ_FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,ct.__webglTexture,Y),us?U.framebufferTextureLayer(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,jt.__webglTexture,Ee,Yt+Wn):U.framebufferTexture2D(U.DRAW_FRAMEBUFFER,U.COLOR_ATTACHMENT0,U.TEXTURE_2D,jt.__webglTexture,Ee),Y!==0?U.blitFramebuffer(Be,je,Be+Ie,je+Te,ke,ft,ke+Ie,ft+Te,U.COLOR_BUFFER_BIT,U.NEAREST):us?U.copyTexSubImage3D(Fe,Ee,ke,ft,Yt+Wn,Be,je,Ie,Te):U.copyTexSubImage2D(Fe,Ee,ke,ft,Be,je,Ie,Te);Me.bindFramebuffer(U.READ_FRAMEBUFFER,null),Me.bindFramebuffer(U.DRAW_FRAMEBUFFER,null)}else us?M.isDataTexture||M.isData3DTexture?U.texSubImage3D(Fe,Ee,ke,ft,Yt,Ie,Te,Le,Pt,gn,Ct.data):O.isCompressedArrayTexture?U.compressedTexSubImage3D(Fe,Ee,ke,ft,Yt,Ie,Te,Le,Pt,Ct.data):U.texSubImage3D(Fe,Ee,ke,ft,Yt,Ie,Te,Le,Pt,gn,Ct):M.isDataTexture?U.texSubImage2D(U.TEXTURE_2D,Ee,ke,ft,Ie,Te,Pt,gn,Ct.data):M.isCompressedTexture?U.compressedTexSubImage2D(U.TEXTURE_2D,Ee,ke,ft,Ct.width,Ct.height,Pt,Ct.data):U.texSubImage2D(U.TEXTURE_2D,Ee,ke,ft,Ie,Te,Pt,gn,Ct);Me.pixelStorei(U.UNPACK_ROW_LENGTH,ln),Me.pixelStorei(U.UNPACK_IMAGE_HEIGHT,_t),Me.pixelStorei(U.UNPACK_SKIP_PIXELS,hs),Me.pixelStorei(U.UNPACK_SKIP_ROWS,cn),Me.pixelStorei(U.UNPACK_SKIP_IMAGES,Nr),Ee===0&&O.generateMipmaps===!0&&O.mipmapsAutoUpdate===!0&&U.generateMipmap(Fe),Me.unbindTexture()},this.initRenderTarget=function(M){ze.get(M).__webglFramebuffer===void 0&&Xe.setupRenderTarget(M)},this.initTexture=function(M){M.isCubeTexture?Xe.setTextureCube(M,0):M.isData3DTexture?Xe.setTexture3D(M,0):M.isDataArrayTexture||M.isCompressedArrayTexture?Xe.setTexture2DArray(M,0):Xe.setTexture2D(M,0),Me.unbindTexture()},this.resetState=function(){K=0,B=0,ce=null,Me.reset(),be.reset()},typeof __THREE_DEVTOOLS__<"u"&&__THREE_DEVTOOLS__.dispatchEvent(new CustomEvent("observe",{detail:this}))}get coordinateSystem(){return Ai}get outputColorSpace(){return this._outputColorSpace}set outputColorSpace(e){this._outputColorSpace=e;let t=this.getContext();t.drawingBufferColorSpace=pt._getDrawingBufferColorSpace(e),t.unpackColorSpace=pt._getUnpackColorSpace()}};var J1={type:"change"},Nf={type:"start"},Q1={type:"end"},Wh=new qs,j1=new gi,ZS=Math.cos(70*Xa.DEG2RAD),Sn=new V,ri=2*Math.PI,Tt={NONE:-1,ROTATE:0,DOLLY:1,PAN:2,TOUCH_ROTATE:3,TOUCH_PAN:4,TOUCH_DOLLY_PAN:5,TOUCH_DOLLY_ROTATE:6},Df=1e-6,Xh=class extends Ua{constructor(e,t=null){super(e,t),this.state=Tt.NONE,this.target=new V,this.cursor=new V,this.minDistance=0,this.maxDistance=1/0,this.minZoom=0,this.maxZoom=1/0,this.minTargetRadius=0,this.maxTargetRadius=1/0,this.minPolarAngle=0,this.maxPolarAngle=Math.PI,this.minAzimuthAngle=-1/0,this.maxAzimuthAngle=1/0,this.enableDamping=!1,this.dampingFactor=.05,this.enableZoom=!0,this.zoomSpeed=1,this.enableRotate=!0,this.rotateSpeed=1,this.keyRotateSpeed=1,this.enablePan=!0,this.panSpeed=1,this.screenSpacePanning=!0,this.keyPanSpeed=7,this.zoomToCursor=!1,this.autoRotate=!1,this.autoRotateSpeed=2,this.keys={LEFT:"ArrowLeft",UP:"ArrowUp",RIGHT:"ArrowRight",BOTTOM:"ArrowDown"},this.mouseButtons={LEFT:Js.ROTATE,MIDDLE:Js.DOLLY,RIGHT:Js.PAN},this.touches={ONE:js.ROTATE,TWO:js.DOLLY_PAN},this.target0=this.target.clone(),this.position0=this.object.position.clone(),this.zoom0=this.object.zoom,this._cursorStyle="auto",this._domElementKeyEvents=null,this._lastPosition=new V,this._lastQuaternion=new _i,this._lastTargetPosition=new V,this._quat=new _i().setFromUnitVectors(e.up,new V(0,1,0)),this._quatInverse=this._quat.clone().invert(),this._spherical=new Co,this._sphericalDelta=new Co,this._scale=1,this._panOffset=new V,this._rotateStart=new et,this._rotateEnd=new et,this._rotateDelta=new et,this._panStart=new et,this._panEnd=new et,this._panDelta=new et,this._dollyStart=new et,this._dollyEnd=new et,this._dollyDelta=new et,this._dollyDirection=new V,this._mouse=new et,this._performCursorZoom=!1,this._pointers=[],this._pointerPositions={},this._controlActive=!1,this._onPointerMove=JS.bind(this),this._onPointerDown=KS.bind(this),this._onPointerUp=jS.bind(this),this._onContextMenu=rM.bind(this),this._onMouseWheel=tM.bind(this),this._onKeyDown=nM.bind(this),this._onTouchStart=iM.bind(this),this._onTouchMove=sM.bind(this),this._onMouseDown=QS.bind(this),this._onMouseMove=eM.bind(this),this._interceptControlDown=oM.bind(this),this._interceptControlUp=aM.bind(this),this.domElement!==null&&this.connect(this.domElement),this.update()}set cursorStyle(e){this._cursorStyle=e,e==="grab"?this.domElement.style.cursor="grab":this.domElement.style.cursor="auto"}get cursorStyle(){return this._cursorStyle}connect(e){super.connect(e),this.domElement.addEventListener("pointerdown",this._onPointerDown),this.domElement.addEventListener("pointercancel",this._onPointerUp),this.domElement.addEventListener("contextmenu",this._onContextMenu),this.domElement.addEventListener("wheel",this._onMouseWheel,{passive:!1}),this.domElement.ownerDocument.addEventListener("keydown",this._interceptControlDown,{passive:!0,capture:!0}),this.domElement.style.touchAction="none"}disconnect(){this.state=Tt.NONE,this.domElement.removeEventListener("pointerdown",this._onPointerDown),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.domElement.removeEventListener("pointercancel",this._onPointerUp),this.domElement.removeEventListener("wheel",this._onMouseWheel),this.domElement.removeEventListener("contextmenu",this._onContextMenu),this.stopListenToKeyEvents(),this.domElement.ownerDocument.removeEventListener("keydown",this._interceptControlDown,{capture:!0}),this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{capture:!0}),this._controlActive=!1,this._pointers.length=0,this._pointerPositions={},this.domElement.style.touchAction="",this.domElement.style.cursor="auto"}dispose(){this.disconnect()}getPolarAngle(){return this._spherical.phi}getAzimuthalAngle(){return this._spherical.theta}getDistance(){return this.object.position.distanceTo(this.target)}listenToKeyEvents(e){e.addEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=e}stopListenToKeyEvents(){this._domElementKeyEvents!==null&&(this._domElementKeyEvents.removeEventListener("keydown",this._onKeyDown),this._domElementKeyEvents=null)}saveState(){this.target0.copy(this.target),this.position0.copy(this.object.position),this.zoom0=this.object.zoom}reset(){this.target.copy(this.target0),this.object.position.copy(this.position0),this.object.zoom=this.zoom0,this.object.updateProjectionMatrix(),this.dispatchEvent(J1),this.update(),this.state=Tt.NONE}pan(e,t){this._pan(e,t),this.update()}dollyIn(e){this._dollyIn(e),this.update()}dollyOut(e){this._dollyOut(e),this.update()}rotateLeft(e){this._rotateLeft(e),this.update()}rotateUp(e){this._rotateUp(e),this.update()}update(e=null){let t=this.object.position;Sn.copy(t).sub(this.target),Sn.applyQuaternion(this._quat),this._spherical.setFromVector3(Sn),this.autoRotate&&this.state===Tt.NONE&&this._rotateLeft(this._getAutoRotationAngle(e)),this.enableDamping?(this._spherical.theta+=this._sphericalDelta.theta*this.dampingFactor,this._spherical.phi+=this._sphericalDelta.phi*this.dampingFactor):(this._spherical.theta+=this._sphericalDelta.theta,this._spherical.phi+=this._sphericalDelta.phi);let n=this.minAzimuthAngle,s=this.maxAzimuthAngle;isFinite(n)&&isFinite(s)&&(n<-Math.PI?n+=ri:n>Math.PI&&(n-=ri),s<-Math.PI?s+=ri:s>Math.PI&&(s-=ri),n<=s?this._spherical.theta=Math.max(n,Math.min(s,this._spherical.theta)):this._spherical.theta=this._spherical.theta>(n+s)/2?Math.max(n,this._spherical.theta):Math.min(s,this._spherical.theta)),this._spherical.phi=Math.max(this.minPolarAngle,Math.min(this.maxPolarAngle,this._spherical.phi)),this._spherical.makeSafe(),this.enableDamping===!0?this.target.addScaledVector(this._panOffset,this.dampingFactor):this.target.add(this._panOffset),this.target.sub(this.cursor),this.target.clampLength(this.minTargetRadius,this.maxTargetRadius),this.target.add(this.cursor);let r=!1;if(this.zoomToCursor&&this._performCursorZoom||this.object.isOrthographicCamera)this._spherical.radius=this._clampDistance(this._spherical.radius);else{let o=this._spherical.radius;this._spherical.radius=this._clampDistance(this._spherical.radius*this._scale),r=o!=this._spherical.radius}if(Sn.setFromSpherical(this._spherical),Sn.applyQuaternion(this._quatInverse),t.copy(this.target).add(Sn),this.object.lookAt(this.target),this.enableDamping===!0?(this._sphericalDelta.theta*=1-this.dampingFactor,this._sphericalDelta.phi*=1-this.dampingFactor,this._panOffset.multiplyScalar(1-this.dampingFactor)):(this._sphericalDelta.set(0,0,0),this._panOffset.set(0,0,0)),this.zoomToCursor&&this._performCursorZoom){let o=null;if(this.object.isPerspectiveCamera){let a=Sn.length();o=this._clampDistance(a*this._scale);let l=a-o;this.object.position.addScaledVector(this._dollyDirection,l),this.object.updateMatrixWorld(),r=!!l}else if(this.object.isOrthographicCamera){let a=new V(this._mouse.x,this._mouse.y,0);a.unproject(this.object);let l=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),this.object.updateProjectionMatrix(),r=l!==this.object.zoom;let c=new V(this._mouse.x,this._mouse.y,0);c.unproject(this.object),this.object.position.sub(c).add(a),this.object.updateMatrixWorld(),o=Sn.length()}else console.warn("WARNING: OrbitControls.js encountered an unknown camera type - zoom to cursor disabled."),this.zoomToCursor=!1;o!==null&&(this.screenSpacePanning?this.target.set(0,0,-1).transformDirection(this.object.matrix).multiplyScalar(o).add(this.object.position):(Wh.origin.copy(this.object.position),Wh.direction.set(0,0,-1).transformDirection(this.object.matrix),Math.abs(this.object.up.dot(Wh.direction))<ZS?this.object.lookAt(this.target):(j1.setFromNormalAndCoplanarPoint(this.object.up,this.target),Wh.intersectPlane(j1,this.target))))}else if(this.object.isOrthographicCamera){let o=this.object.zoom;this.object.zoom=Math.max(this.minZoom,Math.min(this.maxZoom,this.object.zoom/this._scale)),o!==this.object.zoom&&(this.object.updateProjectionMatrix(),r=!0)}return this._scale=1,this._performCursorZoom=!1,r||this._lastPosition.distanceToSquared(this.object.position)>Df||8*(1-this._lastQuaternion.dot(this.object.quaternion))>Df||this._lastTargetPosition.distanceToSquared(this.target)>Df?(this.dispatchEvent(J1),this._lastPosition.copy(this.object.position),this._lastQuaternion.copy(this.object.quaternion),this._lastTargetPosition.copy(this.target),!0):!1}_getAutoRotationAngle(e){return e!==null?ri/60*this.autoRotateSpeed*e:ri/60/60*this.autoRotateSpeed}_getZoomScale(e){let t=Math.abs(e*.01);return Math.pow(.95,this.zoomSpeed*t)}_rotateLeft(e){this._sphericalDelta.theta-=e}_rotateUp(e){this._sphericalDelta.phi-=e}_panLeft(e,t){Sn.setFromMatrixColumn(t,0),Sn.multiplyScalar(-e),this._panOffset.add(Sn)}_panUp(e,t){this.screenSpacePanning===!0?Sn.setFromMatrixColumn(t,1):(Sn.setFromMatrixColumn(t,0),Sn.crossVectors(this.object.up,Sn)),Sn.multiplyScalar(e),this._panOffset.add(Sn)}_pan(e,t){let n=this.domElement;if(this.object.isPerspectiveCamera){let s=this.object.position;Sn.copy(s).sub(this.target);let r=Sn.length();r*=Math.tan(this.object.fov/2*Math.PI/180),this._panLeft(2*e*r/n.clientHeight,this.object.matrix),this._panUp(2*t*r/n.clientHeight,this.object.matrix)}else this.object.isOrthographicCamera?(this._panLeft(e*(this.object.right-this.object.left)/this.object.zoom/n.clientWidth,this.object.matrix),this._panUp(t*(this.object.top-this.object.bottom)/this.object.zoom/n.clientHeight,this.object.matrix)):(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - pan disabled."),this.enablePan=!1)}_dollyOut(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale/=e:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_dollyIn(e){this.object.isPerspectiveCamera||this.object.isOrthographicCamera?this._scale*=e:(console.warn("WARNING: OrbitControls.js encountered an unknown camera type - dolly/zoom disabled."),this.enableZoom=!1)}_updateZoomParameters(e,t){if(!this.zoomToCursor)return;this._performCursorZoom=!0;let n=this.domElement.getBoundingClientRect(),s=e-n.left,r=t-n.top,o=n.width,a=n.height;this._mouse.x=s/o*2-1,this._mouse.y=-(r/a)*2+1,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()}_clampDistance(e){return Math.max(this.minDistance,Math.min(this.maxDistance,e))}_handleMouseDownRotate(e){this._rotateStart.set(e.clientX,e.clientY)}_handleMouseDownDolly(e){this._updateZoomParameters(e.clientX,e.clientY),this._dollyStart.set(e.clientX,e.clientY)}_handleMouseDownPan(e){this._panStart.set(e.clientX,e.clientY)}_handleMouseMoveRotate(e){this._rotateEnd.set(e.clientX,e.clientY),this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(ri*this._rotateDelta.x/t.clientHeight),this._rotateUp(ri*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd),this.update()}_handleMouseMoveDolly(e){this._dollyEnd.set(e.clientX,e.clientY),this._dollyDelta.subVectors(this._dollyEnd,this._dollyStart),this._dollyDelta.y>0?this._dollyOut(this._getZoomScale(this._dollyDelta.y)):this._dollyDelta.y<0&&this._dollyIn(this._getZoomScale(this._dollyDelta.y)),this._dollyStart.copy(this._dollyEnd),this.zoomToCursor&&(this._performCursorZoom=!0,this._dollyDirection.set(this._mouse.x,this._mouse.y,1).unproject(this.object).sub(this.object.position).normalize()),this.update()}_handleMouseMovePan(e){this._panEnd.set(e.clientX,e.clientY),this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd),this.update()}_handleMouseWheel(e){this._updateZoomParameters(e.clientX,e.clientY),e.deltaY<0?this._dollyIn(this._getZoomScale(e.deltaY)):e.deltaY>0&&this._dollyOut(this._getZoomScale(e.deltaY)),this.update()}_handleKeyDown(e){let t=!1;switch(e.code){case this.keys.UP:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(ri*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,this.keyPanSpeed),t=!0;break;case this.keys.BOTTOM:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateUp(-ri*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(0,-this.keyPanSpeed),t=!0;break;case this.keys.LEFT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(ri*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(this.keyPanSpeed,0),t=!0;break;case this.keys.RIGHT:e.ctrlKey||e.metaKey||e.shiftKey?this.enableRotate&&this._rotateLeft(-ri*this.keyRotateSpeed/this.domElement.clientHeight):this.enablePan&&this._pan(-this.keyPanSpeed,0),t=!0;break}t&&(e.preventDefault(),this.update())}_handleTouchStartRotate(e){if(this._pointers.length===1)this._rotateStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),s=.5*(e.pageY+t.y);this._rotateStart.set(n,s)}}_handleTouchStartPan(e){if(this._pointers.length===1)this._panStart.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),s=.5*(e.pageY+t.y);this._panStart.set(n,s)}}_handleTouchStartDolly(e){let t=this._getSecondPointerPosition(e),n=e.pageX-t.x,s=e.pageY-t.y,r=Math.sqrt(n*n+s*s);this._dollyStart.set(0,r)}_handleTouchStartDollyPan(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enablePan&&this._handleTouchStartPan(e)}_handleTouchStartDollyRotate(e){this.enableZoom&&this._handleTouchStartDolly(e),this.enableRotate&&this._handleTouchStartRotate(e)}_handleTouchMoveRotate(e){if(this._pointers.length==1)this._rotateEnd.set(e.pageX,e.pageY);else{let n=this._getSecondPointerPosition(e),s=.5*(e.pageX+n.x),r=.5*(e.pageY+n.y);this._rotateEnd.set(s,r)}this._rotateDelta.subVectors(this._rotateEnd,this._rotateStart).multiplyScalar(this.rotateSpeed);let t=this.domElement;this._rotateLeft(ri*this._rotateDelta.x/t.clientHeight),this._rotateUp(ri*this._rotateDelta.y/t.clientHeight),this._rotateStart.copy(this._rotateEnd)}_handleTouchMovePan(e){if(this._pointers.length===1)this._panEnd.set(e.pageX,e.pageY);else{let t=this._getSecondPointerPosition(e),n=.5*(e.pageX+t.x),s=.5*(e.pageY+t.y);this._panEnd.set(n,s)}this._panDelta.subVectors(this._panEnd,this._panStart).multiplyScalar(this.panSpeed),this._pan(this._panDelta.x,this._panDelta.y),this._panStart.copy(this._panEnd)}_handleTouchMoveDolly(e){let t=this._getSecondPointerPosition(e),n=e.pageX-t.x,s=e.pageY-t.y,r=Math.sqrt(n*n+s*s);this._dollyEnd.set(0,r),this._dollyDelta.set(0,Math.pow(this._dollyEnd.y/this._dollyStart.y,this.zoomSpeed)),this._dollyOut(this._dollyDelta.y),this._dollyStart.copy(this._dollyEnd);let o=(e.pageX+t.x)*.5,a=(e.pageY+t.y)*.5;this._updateZoomParameters(o,a)}_handleTouchMoveDollyPan(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enablePan&&this._handleTouchMovePan(e)}_handleTouchMoveDollyRotate(e){this.enableZoom&&this._handleTouchMoveDolly(e),this.enableRotate&&this._handleTouchMoveRotate(e)}_addPointer(e){this._pointers.push(e.pointerId)}_removePointer(e){delete this._pointerPositions[e.pointerId];for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId){this._pointers.splice(t,1);return}}_isTrackingPointer(e){for(let t=0;t<this._pointers.length;t++)if(this._pointers[t]==e.pointerId)return!0;return!1}_trackPointer(e){let t=this._pointerPositions[e.pointerId];t===void 0&&(t=new et,this._pointerPositions[e.pointerId]=t),t.set(e.pageX,e.pageY)}_getSecondPointerPosition(e){let t=e.pointerId===this._pointers[0]?this._pointers[1]:this._pointers[0];return this._pointerPositions[t]}_customWheelEvent(e){let t=e.deltaMode,n={clientX:e.clientX,clientY:e.clientY,deltaY:e.deltaY};switch(t){case 1:n.deltaY*=16;break;case 2:n.deltaY*=100;break}return e.ctrlKey&&!this._controlActive&&(n.deltaY*=10),n}};function KS(i){this.enabled!==!1&&(this._pointers.length===0&&(this.domElement.setPointerCapture(i.pointerId),this.domElement.ownerDocument.addEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.addEventListener("pointerup",this._onPointerUp)),!this._isTrackingPointer(i)&&(this._addPointer(i),i.pointerType==="touch"?this._onTouchStart(i):this._onMouseDown(i),this._cursorStyle==="grab"&&(this.domElement.style.cursor="grabbing")))}function JS(i){this.enabled!==!1&&(i.pointerType==="touch"?this._onTouchMove(i):this._onMouseMove(i))}function jS(i){switch(this._removePointer(i),this._pointers.length){case 0:this.domElement.releasePointerCapture(i.pointerId),this.domElement.ownerDocument.removeEventListener("pointermove",this._onPointerMove),this.domElement.ownerDocument.removeEventListener("pointerup",this._onPointerUp),this.dispatchEvent(Q1),this.state=Tt.NONE,this._cursorStyle==="grab"&&(this.domElement.style.cursor="grab");break;case 1:let e=this._pointers[0],t=this._pointerPositions[e];this._onTouchStart({pointerId:e,pageX:t.x,pageY:t.y});break}}function QS(i){let e;switch(i.button){case 0:e=this.mouseButtons.LEFT;break;case 1:e=this.mouseButtons.MIDDLE;break;case 2:e=this.mouseButtons.RIGHT;break;default:e=-1}switch(e){case Js.DOLLY:if(this.enableZoom===!1)return;this._handleMouseDownDolly(i),this.state=Tt.DOLLY;break;case Js.ROTATE:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Tt.PAN}else{if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Tt.ROTATE}break;case Js.PAN:if(i.ctrlKey||i.metaKey||i.shiftKey){if(this.enableRotate===!1)return;this._handleMouseDownRotate(i),this.state=Tt.ROTATE}else{if(this.enablePan===!1)return;this._handleMouseDownPan(i),this.state=Tt.PAN}break;default:this.state=Tt.NONE}this.state!==Tt.NONE&&this.dispatchEvent(Nf)}function eM(i){switch(this.state){case Tt.ROTATE:if(this.enableRotate===!1)return;this._handleMouseMoveRotate(i);break;case Tt.DOLLY:if(this.enableZoom===!1)return;this._handleMouseMoveDolly(i);break;case Tt.PAN:if(this.enablePan===!1)return;this._handleMouseMovePan(i);break}}function tM(i){this.enabled===!1||this.enableZoom===!1||this.state!==Tt.NONE||(i.preventDefault(),this.dispatchEvent(Nf),this._handleMouseWheel(this._customWheelEvent(i)),this.dispatchEvent(Q1))}function nM(i){this.enabled!==!1&&this._handleKeyDown(i)}function iM(i){switch(this._trackPointer(i),this._pointers.length){case 1:switch(this.touches.ONE){case js.ROTATE:if(this.enableRotate===!1){this.state=Tt.NONE;break}this._handleTouchStartRotate(i),this.state=Tt.TOUCH_ROTATE;break;case js.PAN:if(this.enablePan===!1){this.state=Tt.NONE;break}this._handleTouchStartPan(i),this.state=Tt.TOUCH_PAN;break;default:this.state=Tt.NONE}break;case 2:switch(this.touches.TWO){case js.DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchStartDollyPan(i),this.state=Tt.TOUCH_DOLLY_PAN;break;case js.DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchStartDollyRotate(i),this.state=Tt.TOUCH_DOLLY_ROTATE;break;default:this.state=Tt.NONE}break;default:this.state=Tt.NONE}this.state!==Tt.NONE&&this.dispatchEvent(Nf)}function sM(i){switch(this._trackPointer(i),this.state){case Tt.TOUCH_ROTATE:if(this.enableRotate===!1)return;this._handleTouchMoveRotate(i),this.update();break;case Tt.TOUCH_PAN:if(this.enablePan===!1)return;this._handleTouchMovePan(i),this.update();break;case Tt.TOUCH_DOLLY_PAN:if(this.enableZoom===!1&&this.enablePan===!1)return;this._handleTouchMoveDollyPan(i),this.update();break;case Tt.TOUCH_DOLLY_ROTATE:if(this.enableZoom===!1&&this.enableRotate===!1)return;this._handleTouchMoveDollyRotate(i),this.update();break;default:this.state=Tt.NONE}}function rM(i){this.enabled!==!1&&i.preventDefault()}function oM(i){i.key==="Control"&&(this._controlActive=!0,this.domElement.ownerDocument.addEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}function aM(i){i.key==="Control"&&(this._controlActive=!1,this.domElement.ownerDocument.removeEventListener("keyup",this._interceptControlUp,{passive:!0,capture:!0}))}Pe.line={worldUnits:{value:1},linewidth:{value:1},resolution:{value:new et},dashOffset:{value:0},dashScale:{value:1},dashSize:{value:1},gapSize:{value:1}};ti.line={uniforms:qa.merge([Pe.common,Pe.fog,Pe.line]),vertexShader:`
		#include <common>
		#include <color_pars_vertex>
		#include <fog_pars_vertex>
		#include <logdepthbuf_pars_vertex>
		#include <clipping_planes_pars_vertex>

		uniform float linewidth;
		uniform vec2 resolution;

		attribute vec3 instanceStart;
		attribute vec3 instanceEnd;

		attribute vec3 instanceColorStart;
		attribute vec3 instanceColorEnd;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#ifdef USE_DASH

			uniform float dashScale;
			attribute float instanceDistanceStart;
			attribute float instanceDistanceEnd;
			varying float vLineDistance;

		#endif

		float trimSegmentAlpha( const in vec4 start, const in vec4 end ) {

			// compute the interpolation factor needed to trim the segment so it terminates
			// between the camera plane and the near plane

			// conservative estimate of the near plane
			float a = projectionMatrix[ 2 ][ 2 ]; // 3nd entry in 3th column
			float b = projectionMatrix[ 3 ][ 2 ]; // 3nd entry in 4th column

			// we need different nearEstimate formula for reversed and default depth buffer
			// a is positive with a reversed depth buffer so it can be used for controlling the code flow
			float nearEstimate = ( a > 0.0 ) ? ( - b / ( a + 1.0 ) ) : ( - 0.5 * b / a );

			return ( nearEstimate - start.z ) / ( end.z - start.z );

		}

		void main() {

			#ifdef USE_COLOR

				vColor.xyz = ( position.y < 0.5 ) ? instanceColorStart : instanceColorEnd;

			#endif

			float aspect = resolution.x / resolution.y;

			// camera space
			vec4 start = modelViewMatrix * vec4( instanceStart, 1.0 );
			vec4 end = modelViewMatrix * vec4( instanceEnd, 1.0 );

			#ifdef USE_DASH

				float lineDistanceStart = dashScale * instanceDistanceStart;
				float lineDistanceEnd = dashScale * instanceDistanceEnd;

			#endif

			#ifdef WORLD_UNITS

				worldStart = start.xyz;
				worldEnd = end.xyz;

			#else

				vUv = uv;

			#endif

			// special case for perspective projection, and segments that terminate either in, or behind, the camera plane
			// clearly the gpu firmware has a way of addressing this issue when projecting into ndc space
			// but we need to perform ndc-space calculations in the shader, so we must address this issue directly
			// perhaps there is a more elegant solution -- WestLangley

			bool perspective = ( projectionMatrix[ 2 ][ 3 ] == - 1.0 ); // 4th entry in the 3rd column

			if ( perspective ) {

				if ( start.z < 0.0 && end.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( start, end );
					end.xyz = mix( start.xyz, end.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceEnd = mix( lineDistanceStart, lineDistanceEnd, alpha );

					#endif

				} else if ( end.z < 0.0 && start.z >= 0.0 ) {

					float alpha = trimSegmentAlpha( end, start );
					start.xyz = mix( end.xyz, start.xyz, alpha );

					#ifdef USE_DASH

						lineDistanceStart = mix( lineDistanceEnd, lineDistanceStart, alpha );

					#endif

				}

			}

			#ifdef USE_DASH

				vLineDistance = ( position.y < 0.5 ) ? lineDistanceStart : lineDistanceEnd;
				vUv = uv;

			#endif

			// clip space
			vec4 clipStart = projectionMatrix * start;
			vec4 clipEnd = projectionMatrix * end;

			// ndc space
			vec3 ndcStart = clipStart.xyz / clipStart.w;
			vec3 ndcEnd = clipEnd.xyz / clipEnd.w;

			// direction
			vec2 dir = ndcEnd.xy - ndcStart.xy;

			// account for clip-space aspect ratio
			dir.x *= aspect;
			dir = normalize( dir );

			#ifdef WORLD_UNITS

				vec3 worldDir = normalize( end.xyz - start.xyz );
				vec3 tmpFwd = perspective ? normalize( mix( start.xyz, end.xyz, 0.5 ) ) : vec3( 0.0, 0.0, - 1.0 );
				vec3 worldUp = normalize( cross( worldDir, tmpFwd ) );
				vec3 worldFwd = cross( worldDir, worldUp );
				worldPos = position.y < 0.5 ? start: end;

				// height offset
				float hw = linewidth * 0.5;
				worldPos.xyz += position.x < 0.0 ? hw * worldUp : - hw * worldUp;

				// don't extend the line if we're rendering dashes because we
				// won't be rendering the endcaps
				#ifndef USE_DASH

					// cap extension
					worldPos.xyz += position.y < 0.5 ? - hw * worldDir : hw * worldDir;

					// add width to the box
					worldPos.xyz += worldFwd * hw;

					// endcaps
					if ( position.y > 1.0 || position.y < 0.0 ) {

						worldPos.xyz -= worldFwd * 2.0 * hw;

					}

				#endif

				// project the worldpos
				vec4 clip = projectionMatrix * worldPos;

				// shift the depth of the projected points so the line
				// segments overlap neatly
				vec3 clipPose = ( position.y < 0.5 ) ? ndcStart : ndcEnd;

				// only shift the depth of vertices in front of the camera (#35137)
				if ( clip.w > 0.0 ) clip.z = clipPose.z * clip.w;

			#else

				vec2 offset = vec2( dir.y, - dir.x );
				// undo aspect ratio adjustment
				dir.x /= aspect;
				offset.x /= aspect;

				// sign flip
				if ( position.x < 0.0 ) offset *= - 1.0;

				// endcaps
				if ( position.y < 0.0 ) {

					offset += - dir;

				} else if ( position.y > 1.0 ) {

					offset += dir;

				}

				// adjust for linewidth
				offset *= linewidth;

				// adjust for clip-space to screen-space conversion // maybe resolution should be based on viewport ...
				offset /= resolution.y;

				// select end
				vec4 clip = ( position.y < 0.5 ) ? clipStart : clipEnd;

				// back to clip space
				offset *= clip.w;

				clip.xy += offset;

			#endif

			gl_Position = clip;

			vec4 mvPosition = ( position.y < 0.5 ) ? start : end; // this is an approximation

			#include <logdepthbuf_vertex>
			#include <clipping_planes_vertex>
			#include <fog_vertex>

		}
		`,fragmentShader:`
		uniform vec3 diffuse;
		uniform float opacity;
		uniform float linewidth;

		#ifdef USE_DASH

			uniform float dashOffset;
			uniform float dashSize;
			uniform float gapSize;

		#endif

		varying float vLineDistance;

		#ifdef WORLD_UNITS

			varying vec4 worldPos;
			varying vec3 worldStart;
			varying vec3 worldEnd;

			#ifdef USE_DASH

				varying vec2 vUv;

			#endif

		#else

			varying vec2 vUv;

		#endif

		#include <common>
		#include <color_pars_fragment>
		#include <fog_pars_fragment>
		#include <logdepthbuf_pars_fragment>
		#include <clipping_planes_pars_fragment>

		vec2 closestLineToLine(vec3 p1, vec3 p2, vec3 p3, vec3 p4) {

			float mua;
			float mub;

			vec3 p13 = p1 - p3;
			vec3 p43 = p4 - p3;

			vec3 p21 = p2 - p1;

			float d1343 = dot( p13, p43 );
			float d4321 = dot( p43, p21 );
			float d1321 = dot( p13, p21 );
			float d4343 = dot( p43, p43 );
			float d2121 = dot( p21, p21 );

			float denom = d2121 * d4343 - d4321 * d4321;

			float numer = d1343 * d4321 - d1321 * d4343;

			mua = numer / denom;
			mua = clamp( mua, 0.0, 1.0 );
			mub = ( d1343 + d4321 * ( mua ) ) / d4343;
			mub = clamp( mub, 0.0, 1.0 );

			return vec2( mua, mub );

		}

		void main() {

			float alpha = opacity;
			vec4 diffuseColor = vec4( diffuse, alpha );

			#include <clipping_planes_fragment>

			#ifdef USE_DASH

				if ( vUv.y < - 1.0 || vUv.y > 1.0 ) discard; // discard endcaps

				if ( mod( vLineDistance + dashOffset, dashSize + gapSize ) > dashSize ) discard; // todo - FIX

			#endif

			#ifdef WORLD_UNITS

				float len;

				if ( isOrthographic ) {

					// View rays are parallel to the z axis so the distance reduces to camera-space XY
					vec2 lineDir = worldEnd.xy - worldStart.xy;
					float t = clamp( dot( worldPos.xy - worldStart.xy, lineDir ) / dot( lineDir, lineDir ), 0.0, 1.0 );
					len = length( worldStart.xy + lineDir * t - worldPos.xy );

				} else {

					// Find the closest points on the view ray and the line segment
					vec3 rayEnd = normalize( worldPos.xyz ) * 1e5;
					vec3 lineDir = worldEnd - worldStart;
					vec2 params = closestLineToLine( worldStart, worldEnd, vec3( 0.0, 0.0, 0.0 ), rayEnd );

					vec3 p1 = worldStart + lineDir * params.x;
					vec3 p2 = rayEnd * params.y;
					vec3 delta = p1 - p2;
					len = length( delta );

				}

				float norm = len / linewidth;

				#ifndef USE_DASH

					#ifdef USE_ALPHA_TO_COVERAGE

						float dnorm = fwidth( norm );
						alpha = 1.0 - smoothstep( 0.5 - dnorm, 0.5 + dnorm, norm );

					#else

						if ( norm > 0.5 ) {

							discard;

						}

					#endif

				#endif

			#else

				#ifdef USE_ALPHA_TO_COVERAGE

					// artifacts appear on some hardware if a derivative is taken within a conditional
					float a = vUv.x;
					float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
					float len2 = a * a + b * b;
					float dlen = fwidth( len2 );

					if ( abs( vUv.y ) > 1.0 ) {

						alpha = 1.0 - smoothstep( 1.0 - dlen, 1.0 + dlen, len2 );

					}

				#else

					if ( abs( vUv.y ) > 1.0 ) {

						float a = vUv.x;
						float b = ( vUv.y > 0.0 ) ? vUv.y - 1.0 : vUv.y + 1.0;
						float len2 = a * a + b * b;

						if ( len2 > 1.0 ) discard;

					}

				#endif

			#endif

			#include <logdepthbuf_fragment>
			#include <color_fragment>

			gl_FragColor = vec4( diffuseColor.rgb, alpha );

			#include <tonemapping_fragment>
			#include <colorspace_fragment>
			#include <fog_fragment>
			#include <premultiplied_alpha_fragment>

		}
		`};var Uo=class extends Vn{constructor(e){super({type:"LineMaterial",uniforms:qa.clone(ti.line.uniforms),vertexShader:ti.line.vertexShader,fragmentShader:ti.line.fragmentShader,clipping:!0}),this.isLineMaterial=!0,this.setValues(e)}get color(){return this.uniforms.diffuse.value}set color(e){this.uniforms.diffuse.value=e}get worldUnits(){return"WORLD_UNITS"in this.defines}set worldUnits(e){e===!0!==this.worldUnits&&(this.needsUpdate=!0),e===!0?this.defines.WORLD_UNITS="":delete this.defines.WORLD_UNITS}get linewidth(){return this.uniforms.linewidth.value}set linewidth(e){this.uniforms.linewidth&&(this.uniforms.linewidth.value=e)}get dashed(){return"USE_DASH"in this.defines}set dashed(e){e===!0!==this.dashed&&(this.needsUpdate=!0),e===!0?this.defines.USE_DASH="":delete this.defines.USE_DASH}get dashScale(){return this.uniforms.dashScale.value}set dashScale(e){this.uniforms.dashScale.value=e}get dashSize(){return this.uniforms.dashSize.value}set dashSize(e){this.uniforms.dashSize.value=e}get dashOffset(){return this.uniforms.dashOffset.value}set dashOffset(e){this.uniforms.dashOffset.value=e}get gapSize(){return this.uniforms.gapSize.value}set gapSize(e){this.uniforms.gapSize.value=e}get opacity(){return this.uniforms.opacity.value}set opacity(e){this.uniforms&&(this.uniforms.opacity.value=e)}get resolution(){return this.uniforms.resolution.value}set resolution(e){this.uniforms.resolution.value.copy(e)}get alphaToCoverage(){return"USE_ALPHA_TO_COVERAGE"in this.defines}set alphaToCoverage(e){this.defines&&(e===!0!==this.alphaToCoverage&&(this.needsUpdate=!0),e===!0?this.defines.USE_ALPHA_TO_COVERAGE="":delete this.defines.USE_ALPHA_TO_COVERAGE)}};var eg=new xi,qh=new V,Cr=class extends Na{constructor(){super(),this.isLineSegmentsGeometry=!0,this.type="LineSegmentsGeometry";let e=[-1,2,0,1,2,0,-1,1,0,1,1,0,-1,0,0,1,0,0,-1,-1,0,1,-1,0],t=[-1,2,1,2,-1,1,1,1,-1,-1,1,-1,-1,-2,1,-2],n=[0,2,1,2,3,1,2,4,3,4,5,3,4,6,5,6,7,5];this.setIndex(n),this.setAttribute("position",new rn(e,3)),this.setAttribute("uv",new rn(t,2))}applyMatrix4(e){let t=this.attributes.instanceStart,n=this.attributes.instanceEnd;return t!==void 0&&(t.applyMatrix4(e),n.applyMatrix4(e),t.needsUpdate=!0),this.boundingBox!==null&&this.computeBoundingBox(),this.boundingSphere!==null&&this.computeBoundingSphere(),this}setPositions(e){let t;e instanceof Float32Array?t=e:Array.isArray(e)&&(t=new Float32Array(e));let n=new ts(t,6,1);return this.setAttribute("instanceStart",new ii(n,3,0)),this.setAttribute("instanceEnd",new ii(n,3,3)),this.instanceCount=this.attributes.instanceStart.count,this.computeBoundingBox(),this.computeBoundingSphere(),this}setColors(e){let t;e instanceof Float32Array?t=e:Array.isArray(e)&&(t=new Float32Array(e));let n=new ts(t,6,1);return this.setAttribute("instanceColorStart",new ii(n,3,0)),this.setAttribute("instanceColorEnd",new ii(n,3,3)),this}fromWireframeGeometry(e){return this.setPositions(e.attributes.position.array),this}fromEdgesGeometry(e){return this.setPositions(e.attributes.position.array),this}fromMesh(e){return this.fromWireframeGeometry(new Ia(e.geometry)),this}fromLineSegments(e){let t=e.geometry;return this.setPositions(t.attributes.position.array),this}computeBoundingBox(){this.boundingBox===null&&(this.boundingBox=new xi);let e=this.attributes.instanceStart,t=this.attributes.instanceEnd;e!==void 0&&t!==void 0&&(this.boundingBox.setFromBufferAttribute(e),eg.setFromBufferAttribute(t),this.boundingBox.union(eg))}computeBoundingSphere(){this.boundingSphere===null&&(this.boundingSphere=new Ri),this.boundingBox===null&&this.computeBoundingBox();let e=this.attributes.instanceStart,t=this.attributes.instanceEnd;if(e!==void 0&&t!==void 0){let n=this.boundingSphere.center;this.boundingBox.getCenter(n);let s=0;for(let r=0,o=e.count;r<o;r++)qh.fromBufferAttribute(e,r),s=Math.max(s,n.distanceToSquared(qh)),qh.fromBufferAttribute(t,r),s=Math.max(s,n.distanceToSquared(qh));this.boundingSphere.radius=Math.sqrt(s),isNaN(this.boundingSphere.radius)&&console.error("THREE.LineSegmentsGeometry.computeBoundingSphere(): Computed radius is NaN. The instanced position data is likely to have NaN values.",this)}}toJSON(){}};var Ff=new Lt,tg=new V,ng=new V,Fn=new Lt,Un=new Lt,rs=new Lt,Uf=new V,Of=new Bt,On=new Fa,ig=new V,$h=new xi,Yh=new Ri,os=new Lt,as,Pr;function sg(i,e,t){return os.set(0,0,-e,1).applyMatrix4(i.projectionMatrix),os.multiplyScalar(1/os.w),os.x=Pr/t.width,os.y=Pr/t.height,os.applyMatrix4(i.projectionMatrixInverse),os.multiplyScalar(1/os.w),Math.abs(Math.max(os.x,os.y))}function lM(i,e){let t=i.matrixWorld,n=i.geometry,s=n.attributes.instanceStart,r=n.attributes.instanceEnd,o=Math.min(n.instanceCount,s.count);for(let a=0,l=o;a<l;a++){On.start.fromBufferAttribute(s,a),On.end.fromBufferAttribute(r,a),On.applyMatrix4(t);let c=new V,h=new V;as.distanceSqToSegment(On.start,On.end,h,c),h.distanceTo(c)<Pr*.5&&e.push({point:h,pointOnLine:c,distance:as.origin.distanceTo(h),object:i,face:null,faceIndex:a,uv:null,uv1:null})}}function cM(i,e,t){let n=e.projectionMatrix,r=i.material.resolution,o=i.matrixWorld,a=i.geometry,l=a.attributes.instanceStart,c=a.attributes.instanceEnd,h=Math.min(a.instanceCount,l.count),u=-e.near;as.at(1,rs),rs.w=1,rs.applyMatrix4(e.matrixWorldInverse),rs.applyMatrix4(n),rs.multiplyScalar(1/rs.w),rs.x*=r.x/2,rs.y*=r.y/2,rs.z=0,Uf.copy(rs),Of.multiplyMatrices(e.matrixWorldInverse,o);for(let d=0,f=h;d<f;d++){if(Fn.fromBufferAttribute(l,d),Un.fromBufferAttribute(c,d),Fn.w=1,Un.w=1,Fn.applyMatrix4(Of),Un.applyMatrix4(Of),Fn.z>u&&Un.z>u)continue;if(Fn.z>u){let A=Fn.z-Un.z,w=(Fn.z-u)/A;Fn.lerp(Un,w)}else if(Un.z>u){let A=Un.z-Fn.z,w=(Un.z-u)/A;Un.lerp(Fn,w)}Fn.applyMatrix4(n),Un.applyMatrix4(n),Fn.multiplyScalar(1/Fn.w),Un.multiplyScalar(1/Un.w),Fn.x*=r.x/2,Fn.y*=r.y/2,Un.x*=r.x/2,Un.y*=r.y/2,On.start.copy(Fn),On.start.z=0,On.end.copy(Un),On.end.z=0;let x=On.closestPointToPointParameter(Uf,!0);On.at(x,ig);let g=Xa.lerp(Fn.z,Un.z,x),p=g>=-1&&g<=1,b=Uf.distanceTo(ig)<Pr*.5;if(p&&b){On.start.fromBufferAttribute(l,d),On.end.fromBufferAttribute(c,d),On.start.applyMatrix4(o),On.end.applyMatrix4(o);let A=new V,w=new V;as.distanceSqToSegment(On.start,On.end,w,A),t.push({point:w,pointOnLine:A,distance:as.origin.distanceTo(w),object:i,face:null,faceIndex:d,uv:null,uv1:null})}}}var Zh=class extends si{constructor(e=new Cr,t=new Uo({color:Math.random()*16777215})){super(e,t),this.isLineSegments2=!0,this.type="LineSegments2"}computeLineDistances(){let e=this.geometry,t=e.attributes.instanceStart,n=e.attributes.instanceEnd,s=new Float32Array(2*t.count);for(let o=0,a=0,l=t.count;o<l;o++,a+=2)tg.fromBufferAttribute(t,o),ng.fromBufferAttribute(n,o),s[a]=a===0?0:s[a-1],s[a+1]=s[a]+tg.distanceTo(ng);let r=new ts(s,2,1);return e.setAttribute("instanceDistanceStart",new ii(r,1,0)),e.setAttribute("instanceDistanceEnd",new ii(r,1,1)),this}raycast(e,t){let n=this.material.worldUnits,s=e.camera;if(s===null&&!n&&console.error('LineSegments2: "Raycaster.camera" needs to be set in order to raycast against LineSegments2 while worldUnits is set to false.'),n===!1&&(this.material.resolution.x===0||this.material.resolution.y===0))return;let r=e.params.Line2!==void 0&&e.params.Line2.threshold||0;as=e.ray;let o=this.matrixWorld,a=this.geometry,l=this.material;Pr=l.linewidth+r,a.boundingSphere===null&&a.computeBoundingSphere(),Yh.copy(a.boundingSphere).applyMatrix4(o);let c;if(n)c=Pr*.5;else{let u=Math.max(s.near,Yh.distanceToPoint(as.origin));c=sg(s,u,l.resolution)}if(Yh.radius+=c,as.intersectsSphere(Yh)===!1)return;a.boundingBox===null&&a.computeBoundingBox(),$h.copy(a.boundingBox).applyMatrix4(o);let h;if(n)h=Pr*.5;else{let u=Math.max(s.near,$h.distanceToPoint(as.origin));h=sg(s,u,l.resolution)}$h.expandByScalar(h),as.intersectsBox($h)!==!1&&(n?lM(this,t):cM(this,s,t))}onBeforeRender(e){let t=this.material.uniforms;t&&t.resolution&&(e.getViewport(Ff),this.material.uniforms.resolution.value.set(Ff.z,Ff.w))}};var[hM,uM]=[.03,1.004],nr=class{mesh;material;places=new Float32Array(0);colours=new Float32Array(0);count=0;constructor(e,t,n=!1){this.material=new Uo({linewidth:e,vertexColors:!0,transparent:!0,opacity:t,dashed:n}),this.material.depthWrite=!1,this.mesh=new Zh(new Cr,this.material),this.mesh.frustumCulled=!1,this.grow(64)}clear(){this.count=0}add(e,t,n,s){this.piece(e.subarray(t*3,t*3+3),e.subarray(n*3,n*3+3),s)}addOverGround(e,t,n,s){let[r,o]=[e.subarray(t*3,t*3+3),e.subarray(n*3,n*3+3)],a=Math.max(1,Math.ceil(Math.hypot(o[0]-r[0],o[1]-r[1],o[2]-r[2])/hM)),l=c=>{let h=[0,1,2].map(d=>r[d]*(1-c)+o[d]*c),u=uM/Math.hypot(...h);return h.map(d=>d*u)};for(let c=0;c<a;c++)this.piece(l(c/a),l((c+1)/a),s)}piece(e,t,n){(this.count+1)*6>this.places.length&&this.grow(this.count*2);let s=this.count*6;for(let r=0;r<3;r++)this.places[s+r]=e[r],this.places[s+3+r]=t[r],this.colours[s+r]=n[r],this.colours[s+3+r]=n[r];this.count++}done(){let{geometry:e}=this.mesh;e.instanceCount=this.count,this.mesh.visible=this.count>0;for(let t of["instanceStart","instanceColorStart"])e.getAttribute(t).data.needsUpdate=!0;this.material.dashed&&this.measure()}measure(){let e=this.mesh.geometry.getAttribute("instanceDistanceStart"),t=this.mesh.geometry.getAttribute("instanceDistanceEnd"),n=0;for(let s=0;s<this.count;s++){let r=s*6;e.setX(s,n),n+=Math.hypot(...[0,1,2].map(o=>this.places[r+o]-this.places[r+3+o])),t.setX(s,n)}e.needsUpdate=!0,t.needsUpdate=!0}grow(e){let t=new Cr,[n,s]=[new Float32Array(e*6),new Float32Array(e*6)];n.set(this.places),s.set(this.colours),[this.places,this.colours]=[n,s];for(let[r,o]of[["instance",n],["instanceColor",s]]){let a=new ts(o,6,1);t.setAttribute(`${r}Start`,new ii(a,3,0)),t.setAttribute(`${r}End`,new ii(a,3,3))}t.setAttribute("instanceDistanceStart",new wo(new Float32Array(e),1)),t.setAttribute("instanceDistanceEnd",new wo(new Float32Array(e),1)),this.mesh.geometry.dispose(),this.mesh.geometry=t}};var rg=`
  varying vec2 place;
  varying vec3 up;
  varying vec3 eye;
  void main() {
    place = uv;
    up = normalize(normal);
    vec4 at = modelMatrix * vec4(position, 1.0);
    eye = normalize(cameraPosition - at.xyz);
    gl_Position = projectionMatrix * viewMatrix * at;
  }`,og=`
  uniform sampler2D land;
  uniform vec3 oceanColour;
  uniform vec3 landColour;
  uniform vec3 nightColour;
  uniform vec3 sun;
  uniform float night;
  uniform float rim;
  varying vec2 place;
  varying vec3 up;
  varying vec3 eye;
  void main() {
    vec3 colour = mix(oceanColour, landColour, texture2D(land, place).r);
    float day = smoothstep(-0.1, 0.1, dot(up, sun));
    colour = mix(colour, nightColour, night * (1.0 - day));
    float slant = 1.0 - max(dot(up, eye), 0.0);
    colour *= 1.0 - rim * slant * slant;
    gl_FragColor = vec4(colour, 1.0);
  }`,ag=`
  attribute vec3 tint;
  uniform float size;
  uniform vec3 space;
  varying vec3 dotColour;
  void main() {
    // The far side fades, so that the near side is easier to read.
    float near = smoothstep(-0.5, 0.35, dot(normalize(position), normalize(cameraPosition)));
    dotColour = mix(space, tint, 0.25 + 0.75 * near);
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
    gl_PointSize = size;
  }`,lg=`
  varying vec3 dotColour;
  void main() {
    vec2 from = gl_PointCoord - 0.5;
    if (dot(from, from) > 0.25) discard;
    gl_FragColor = vec4(dotColour, 1.0);
  }`,cg=`
  varying float near;
  void main() {
    near = smoothstep(-0.5, 0.5, dot(normalize(position), normalize(cameraPosition)));
    gl_Position = projectionMatrix * modelViewMatrix * vec4(position, 1.0);
  }`,hg=`
  uniform vec3 colour;
  uniform float strength;
  varying float near;
  void main() {
    gl_FragColor = vec4(colour, strength * (0.15 + 0.85 * near));
  }`;function ug(){let i=document.createElement("canvas").getContext("webgl2"),e=i?.getExtension("WEBGL_debug_renderer_info"),t=e?String(i?.getParameter(e.UNMASKED_RENDERER_WEBGL)):"";return i?.getExtension("WEBGL_lose_context")?.loseContext(),/swiftshader|llvmpipe|softpipe|basic render/i.test(t)}var dM=2e4;pt.enabled=!1;var Jh=class{constructor(e,t){this.redraw=t;let n=document.documentElement.classList.contains("shot")||!ug();this.renderer=new Vh({antialias:n,powerPreference:"high-performance"}),this.renderer.outputColorSpace=Sr,this.canvas=this.renderer.domElement,this.canvas.tabIndex=0,this.canvas.addEventListener("webglcontextrestored",t),this.canvas.setAttribute("role","img"),this.canvas.setAttribute("aria-label",e),this.controls=new Xh(this.camera,this.canvas),this.controls.enablePan=!1,this.controls.rotateSpeed=.55,this.controls.minDistance=1.25,this.controls.maxDistance=30,this.controls.addEventListener("change",t),this.coast=new To(fM(),new Eo);for(let r of[this.links,this.dots,this.sites,this.hops,this.holes])r.frustumCulled=!1;for(let r of[this.hops,this.holes])r.material.uniforms={size:{value:10},space:{value:new Je}},r.material.depthWrite=!1,r.material.transparent=!0;this.sites.material.uniforms={size:{value:6},space:{value:new Je}},this.dots.material.uniforms={size:{value:4},space:{value:new Je}},this.links.material.uniforms={colour:{value:new Je},strength:{value:.5}};let s=new Pa(1,96,64);s.scale(1,Fs/6378.137,1),this.scene.add(new si(s,this.earth),this.coast,this.links,this.former.mesh,this.others.mesh,this.casing.mesh,this.fill.mesh),this.scene.add(this.chosen.mesh,this.dots,this.sites,this.hops,this.holes),this.casing.mesh.renderOrder=1,this.fill.mesh.renderOrder=2,this.chosen.mesh.renderOrder=3,this.hops.renderOrder=4,this.holes.renderOrder=5}redraw;canvas;renderer;scene=new Sa;camera=new Jn(34,1,.1,60);controls;earth=new Vn({vertexShader:rg,fragmentShader:og});coast;dots=new $s(new tn,new Vn({vertexShader:ag,fragmentShader:lg}));sites=new $s(new tn,this.dots.material.clone());links=new To(new tn,new Vn({vertexShader:cg,fragmentShader:hg,transparent:!0,depthWrite:!1}));hops=new $s(new tn,this.dots.material.clone());holes=new $s(new tn,this.dots.material.clone());casing=new nr(5,.85);others=new nr(3,.5);former=new nr(2,.8,!0);fill=new nr(2.4,1);chosen=new nr(4,1);xyz=new Float32Array(0);colours=Zt();frame=null;version=-1;themed="";marked="";show(e){this.frame=e,this.version=-1,this.xyz=new Float32Array(e.xyz.length)}lookAt(e,t,n){let s=n>dM,r=s?20:55,[o,a,l]=Us(Math.min(Math.max(e,-r),r),t,0),c=1+n/6378.137,h=s?c+1.06/Math.tan(7*Math.PI/180):1.06*c/Math.sin(17*Math.PI/180);this.camera.position.set(o,l,-a).setLength(Math.min(h,this.controls.maxDistance)),this.controls.update()}turn(e,t){let n=this.camera.position,s=n.length(),r=Math.min(Math.max(Math.acos(n.y/s)-t,.05),Math.PI-.05),o=Math.atan2(n.x,n.z)+e;n.setFromSphericalCoords(s,r,o),this.controls.update(),this.redraw()}zoom(e){let t=this.camera.position;t.setLength(Math.min(Math.max(t.length()/e,this.controls.minDistance),this.controls.maxDistance)),this.controls.update(),this.redraw()}resize(e,t){this.renderer.setPixelRatio(Math.min(devicePixelRatio,2)),this.renderer.setSize(e,t),this.camera.aspect=e/t,this.camera.fov=e<t?2*Math.atan(Math.tan(17*Math.PI/180)*(t/e))*(180/Math.PI):34,this.camera.updateProjectionMatrix()}draw(e){let{frame:t}=this;t&&(this.dress(e.theme),this.place(t),this.version!==t.version&&this.rebuild(t),this.move(t),this.light(t,e.time),this.lines(t,e),this.marks(t,e),this.renderer.render(this.scene,this.camera))}project(e,t){let n=new V(this.xyz[e*3],this.xyz[e*3+1],this.xyz[e*3+2]),s=n.clone().sub(this.camera.position),r=-this.camera.position.dot(s)/s.lengthSq(),o=this.camera.position.clone().addScaledVector(s,Math.min(Math.max(r,0),1));t.hidden=o.lengthSq()<.99&&r<1||n.lengthSq()===0,n.project(this.camera),t.x=(n.x+1)/2*this.canvas.clientWidth,t.y=(1-n.y)/2*this.canvas.clientHeight}dispose(){this.controls.dispose(),this.renderer.dispose()}dress(e){let t=Zt(),n=JSON.stringify([e,t]);if(n===this.themed)return;this.themed=n,this.colours=t;let s=!this.earth.uniforms.land;this.scene.background=new Je(t.space),this.earth.uniforms={land:s?{value:pM()}:this.earth.uniforms.land,oceanColour:{value:new Je(t.ocean)},landColour:{value:new Je(t.land)},sun:{value:new V(0,0,0)},nightColour:{value:new Je(t.night)},night:{value:0},rim:{value:t.dark?.55:.22}},this.coast.material.color.set(t.coast),this.links.material.uniforms.colour.value.set(t.link);for(let{material:r}of[this.dots,this.sites,this.hops,this.holes])r.uniforms.space.value.set(t.space);this.version=-1}place({xyz:e}){let t=this.xyz;for(let n=0;n<e.length;n+=3)t[n]=e[n]/6378.137,t[n+1]=e[n+2]/6378.137,t[n+2]=-e[n+1]/6378.137,Number.isNaN(e[n])&&t.fill(0,n,n+3)}rebuild(e){let{nodes:t,shells:n}=e.run.file;this.version=e.version;let s=n.map((a,l)=>mM(this.colours,l));Kh(this.dots,e.satellites.length,a=>s[t[e.satellites[a]].shell??0]??ir(this.colours.satellite));let r=t.flatMap((a,l)=>fs(a.kind)?[l]:[]);Kh(this.sites,r.length,()=>ir(this.colours.site));let o=this.sites.geometry.getAttribute("position");for(let[a,l]of r.entries())o.setXYZ(a,...[0,1,2].map(c=>this.xyz[l*3+c]*1.004));this.links.material.uniforms.strength.value=rl(e.lines.length,this.colours.dark?.5:.6),this.links.geometry.dispose(),this.links.geometry=new tn,this.links.geometry.setAttribute("position",new Nn(new Float32Array(e.lines.length*6),3).setUsage(Uh))}move(e){let{xyz:t}=this,n=this.dots.geometry.getAttribute("position");for(let[a,l]of e.satellites.entries())n.array[a*3]=t[l*3],n.array[a*3+1]=t[l*3+1],n.array[a*3+2]=t[l*3+2];n.needsUpdate=!0;let s=this.links.geometry.getAttribute("position");for(let a=0,l=0;a<e.ends.length;a+=2,l+=6){let[c,h]=[e.ends[a]*3,e.ends[a+1]*3],u=t[c]!==0&&t[h]!==0;for(let d=0;d<3;d++)s.array[l+d]=u?t[c+d]:0,s.array[l+3+d]=u?t[h+d]:0}s.needsUpdate=!0;let r=e.satellites.length>3e3?.75:e.satellites.length<200?1.6:1,o=this.renderer.getPixelRatio()*Math.max(1,this.canvas.clientHeight/700);this.dots.material.uniforms.size.value=3.6*r*o,this.sites.material.uniforms.size.value=7*o,this.hops.material.uniforms.size.value=11*o,this.holes.material.uniforms.size.value=5*o;for(let[a,l]of[[this.casing,7],[this.others,3.2],[this.fill,2.4],[this.former,1.6],[this.chosen,4]])a.material.linewidth=l*Math.max(1,this.canvas.clientHeight/700)}light({run:e},t){let{sun:n,night:s}=this.earth.uniforms;if(!e.file.epoch_utc){s.value=0;return}s.value=this.colours.dark?.45:.42;let{latitude_deg:r,longitude_deg:o}=il(new Date(Date.parse(e.file.epoch_utc)+t*1e3)),[a,l,c]=Us(r,o,0);n.value.set(a,c,-l).normalize()}marks(e,t){let{run:n}=e,s=e.hops(t.flows),r=s.map(({flow:a})=>ir(Ln(n.flow.get(a)?.color_index??0,this.colours.dark))),o=JSON.stringify([r,this.colours.space]);o!==this.marked&&(this.marked=o,Kh(this.hops,s.length,a=>r[a]),Kh(this.holes,s.length,()=>ir(this.colours.space)));for(let a of[this.hops,this.holes]){let l=a.geometry.getAttribute("position");for(let[c,{id:h}]of s.entries()){let u=n.place.get(h)*3,d=fs(n.node(h).kind)?1.004:1;l.setXYZ(c,...[0,1,2].map(f=>this.xyz[u+f]*d))}l.needsUpdate=!0}}lines(e,t){let{run:n}=e,s=c=>n.place.get(c),r=[this.casing,this.others,this.former,this.fill,this.chosen];for(let c of r)c.clear();let o=(c,h,u,d)=>{fs(n.node(h).kind)&&fs(n.node(u).kind)?c.addOverGround(this.xyz,s(h),s(u),d):c.add(this.xyz,s(h),s(u),d)},a=(c,h,u)=>{for(let d=1;d<h.length;d++)o(c,h[d-1],h[d],u)};for(let[c,{now:h,before:u}]of e.ways){let d=ir(Ln(n.flow.get(c)?.color_index??0,this.colours.dark));h&&a(t.flows.includes(c)?this.casing:this.others,h.nodes,d),u&&c===t.flows[0]&&a(this.former,u.nodes,ir(this.colours.muted))}for(let{line:c,share:h}of e.full)o(this.fill,c.a,c.b,yu(h));let l=t.picked?.kind==="line"?n.lineOf.get(t.picked.key):null;l&&o(this.chosen,l.a,l.b,ir(this.colours.ink)),this.former.material.dashSize=.02,this.former.material.gapSize=.02;for(let c of r)c.done()}};function fM(){let i=[];for(let[e,t,n,s]of Vl())for(let[r,o]of[[t,e],[s,n]]){let[a,l,c]=Us(r,o,8);i.push(a/6378.137,c/6378.137,-l/6378.137)}return new tn().setAttribute("position",new Nn(new Float32Array(i),3))}function pM(){let i=document.createElement("canvas");[i.width,i.height]=[2048,1024];let e=i.getContext("2d");return e.fillStyle="#000",e.fillRect(0,0,i.width,i.height),e.fillStyle="#fff",zl(e,i.width,i.height),new Ta(i)}function Kh(i,e,t){let n=new Float32Array(e*3);for(let s=0;s<e;s++)n.set(t(s),s*3);i.geometry.dispose(),i.geometry=new tn,i.geometry.setAttribute("position",new Nn(new Float32Array(e*3),3).setUsage(Uh)),i.geometry.setAttribute("tint",new Nn(n,3))}function mM({satellite:i,ink:e,ground:t},n){let s=new Je(i);return n%3===1&&s.lerp(new Je(e),.45),n%3===2&&s.lerp(new Je(t),.4),ir(`#${s.getHexString()}`)}function ir(i){return new Je(i).toArray()}var gM=24,jh=class{root=q("div",{class:"labels","aria-hidden":"true"});labels=[];write(e){this.labels=e.slice(0,gM).map(({place:t,name:n})=>({place:t,root:q("span",{},n),width:Number.NaN})),this.root.replaceChildren(...this.labels.map(({root:t})=>t))}draw(e){let t={x:0,y:0,hidden:!1},[n,s]=[bt(.5),bt(1.2)],r=[],{clientWidth:o}=e.canvas;for(let a of this.labels){if(e.project(a.place,t),a.root.style.display=t.hidden?"none":"",t.hidden)continue;a.width>0||(a.width=a.root.offsetWidth);let l=[{left:t.x+n,y:t.y},{left:t.x-n-a.width,y:t.y},{left:t.x+n,y:t.y+s},{left:t.x+n,y:t.y-s}].map(({left:d,y:f})=>({left:d,right:d+a.width,y:f})),c=l.filter(d=>d.left>=0&&d.right<=o),u=c.find(d=>r.every(f=>d.right<f.left||d.left>f.right||Math.abs(d.y-f.y)>=s))??c[0]??l[0];r.push(u),a.root.style.transform=`translate(${u.left.toFixed(1)}px, ${u.y.toFixed(1)}px)`}}};var dg={utilisation:"Utilisation",queue:"Queue",none:"None"},Qh=class{constructor(e,t,n){this.store=t;this.runs=n;for(let[o,a]of[["globe","Globe"],["map","Map"]])this.projection.append(q("button",{type:"button","data-value":o,click:()=>t.set({projection:o})},a));for(let[o,a]of Object.entries(dg))this.tints.append(q("button",{type:"button","data-value":o,click:()=>t.set({tint:o})},a));let s=q("i",{class:"ramp","aria-hidden":"true"});s.style.background=`linear-gradient(90deg, ${[0,1/3,2/3,1].map(cr).join(", ")})`,this.scale.append("0",s,this.full);let r=q("div",{class:"links-by"},q("span",{class:"quiet"},"Colour of links"),this.tints,this.setTo,this.scale);e.append(q("div",{class:"stage-top"},this.projection,q("div",{class:"sky"},this.name,this.mesh,this.shells)),q("div",{class:"stage-bottom"},r)),this.mesh.title="Links between satellites that no path uses now (m)",this.box.addEventListener("change",()=>t.set({mesh:this.box.checked})),t.listen((o,a)=>{a.has("run")&&this.offerShells(),["run","projection","tint","hiddenShells","mesh","loaded"].some(l=>a.has(l))&&this.draw(o)})}store;runs;projection=q("div",{class:"segmented",role:"group","aria-label":"Projection"});tints=q("div",{class:"segmented",role:"group","aria-label":"Colour of links"});shells=q("div",{class:"shells",role:"group","aria-label":"Shells"});scale=q("div",{class:"scale"});full=q("span");name=q("p",{class:"constellation"});box=q("input",{type:"checkbox"});mesh=q("label",{class:"mesh"},this.box,"All links");setTo=q("span",{class:"set-to"});draw(e){let t=this.runs[e.run];this.projection.hidden=!t.positions,fg(this.projection,e.projection),fg(this.tints,e.tint),wt(this.setTo,dg[e.tint].toLowerCase()),this.scale.hidden=e.tint==="none",wt(this.full,e.tint==="queue"?`${_n($o(t))} packets`:"100 %");for(let n of this.shells.querySelectorAll("input"))n.checked=!e.hiddenShells.includes(Number(n.value));this.mesh.hidden=!t.positions||!t.lines.some(({always:n})=>n),this.box.checked=Zo(t,e.mesh)}offerShells(){let e=this.runs[this.store.state.run],{shells:t}=e,n=e.positions?.satellites.length??0,{constellation:s}=e.file;if(this.name.replaceChildren(s?q("b",{},s):"",q("small",{},` ${_n(n)} satellite${n===1?"":"s"}`)),this.name.hidden=!e.positions,this.shells.replaceChildren(),this.shells.hidden=t.length<2||t.every(({count:r})=>r===1),!this.shells.hidden)for(let{shell:r,name:o,count:a}of t){let l=()=>{let{hiddenShells:c}=this.store.state,h=c.includes(r)?c.filter(u=>u!==r):[...c,r];this.store.set({hiddenShells:h})};this.shells.append(q("label",{},q("input",{type:"checkbox",value:r,checked:!0,change:l}),o,q("small",{},` ${_n(a)}`)))}}};function fg(i,e){for(let t of i.querySelectorAll("button"))t.setAttribute("aria-pressed",String(t.dataset.value===e))}function pg(i,e,t,n,s){let{run:r}=e,o={x:0,y:0,hidden:!1},a=null,l=9,c=(h,u)=>{i.project(h,o);let d=Math.hypot(o.x-n,o.y-s)-u;o.hidden||d>=l||(l=d,a={kind:"node",id:r.file.nodes[h].id})};for(let h of e.satellites)c(h,0);for(let[h,{kind:u}]of r.file.nodes.entries())u!=="satellite"&&c(h,3);for(let{id:h}of e.hops(t))c(r.place.get(h),5);if(a)return a;l=9*.7;for(let h of _M(e)){let u=yM(i,r.place.get(h.a),r.place.get(h.b),n,s);u>=l||(l=u,a={kind:"line",key:h.key})}return a}function*_M(i){for(let{now:e}of i.ways.values())for(let t=1;t<(e?.nodes.length??0);t++){let n=i.run.line(e.nodes[t-1],e.nodes[t]);n&&(yield n)}yield*i.lines}function yM(i,e,t,n,s){let r={x:0,y:0,hidden:!1},o={x:0,y:0,hidden:!1};if(i.project(e,r),i.project(t,o),r.hidden||o.hidden)return Number.POSITIVE_INFINITY;let[a,l]=[o.x-r.x,o.y-r.y],c=Math.min(Math.max(((n-r.x)*a+(s-r.y)*l)/(a*a+l*l||1),0),1);return Math.hypot(r.x+c*a-n,r.y+c*l-s)}var xM="http://www.w3.org/2000/svg",eu=class{constructor(e,t){this.run=e;this.store=t;this.root.setAttribute("aria-label",`Network: ${e.file.nodes.length} nodes, ${e.lines.length} links`)}run;store;root=Pn("svg",{class:"plain",role:"group",preserveAspectRatio:"xMidYMid meet"});below=Pn("g",{});queues=[];lines=new Map;nodes=new Map;points=[];ways=new Map;resize(){let e=bt(.0625),t={width:this.root.clientWidth/e,height:this.root.clientHeight/e};if(t.width<50||t.height<50)return;this.root.setAttribute("viewBox",`0 0 ${t.width} ${t.height}`),this.points=bM(this.run,t),this.queues.length=0,this.lines.clear(),this.nodes.clear();let n=Pn("g",{});for(let r of this.run.lines)n.append(...this.line(r));let s=[...this.run.file.nodes.keys()].map(r=>this.node(r));this.root.replaceChildren(this.below,n,...s)}draw(e){let t=Zt(),{run:n}=this;this.ways.clear();for(let[s,r]of n.paths){let{start_s:o,end_s:a}=n.flow.get(s)??{start_s:0,end_s:null},l=e.time>=o&&e.time<=(a??Number.POSITIVE_INFINITY);this.ways.set(s,l?r.at(e.time):{now:null,before:null})}for(let[s,r]of this.lines){let o=nl(n,n.lineOf.get(s),e.tint,e.time);r.style.stroke=o===null?t.muted:cr(o),r.classList.toggle("picked",e.picked?.kind==="line"&&e.picked.key===s)}for(let[s,r]of this.nodes)r.classList.toggle("picked",e.picked?.kind==="node"&&e.picked.id===s);for(let{link:s,bar:r,word:o,full:a}of this.queues){let l=n.curveOfLink(s,"queue"),c=l?.at(e.time)??null,h=Math.min((c??0)/a,1);r.setAttribute("transform",`scale(${h.toFixed(4)} 1)`),r.style.fill=cr(h),wt(o,c===null||c===0?"":`${_n(c)} ${l?.unit}`)}this.paths(e,t.dark)}paths(e,t){if(this.below.replaceChildren(),this.points.length===0)return;let n=e.flows.length>0?e.flows:[...this.ways.keys()].slice(0,6);for(let[s,r]of n.slice(0,6).entries()){let o=this.ways.get(r)?.now?.nodes;if(!o)continue;let a=(s-(Math.min(n.length,6)-1)/2)*9,l=[...o].map(h=>this.points[this.run.place.get(h)]),c=Pn("polyline",{class:"way",points:l.map(({x:h,y:u})=>`${h},${u+a}`).join(" ")});c.style.stroke=Ln(this.run.flow.get(r)?.color_index??0,t),this.below.append(c)}}line(e){let[t,n]=[e.a,e.b].map(u=>this.points[this.run.place.get(u)]),s=e.links.map(u=>u.name).join(", "),r=Pn("g",{class:"line",tabindex:0,role:"button","aria-label":`Link ${s}`}),o=Pn("line",{x1:t.x,y1:t.y,x2:n.x,y2:n.y,class:"wire"}),a=Pn("line",{x1:t.x,y1:t.y,x2:n.x,y2:n.y,class:"target"}),l=Pn("title",{});l.textContent=s,r.append(l,o,a);let c=()=>this.store.set({picked:{kind:"line",key:e.key}});this.picks(r,c),this.lines.set(e.key,o);let h=e.links.flatMap(u=>this.queue(u.id,u.from===e.a?t:n,u.from===e.a?n:t)??[]);for(let u of h)u.addEventListener("click",c);return[r,...h]}queue(e,t,n){let s=this.run.curveOfLink(e,"queue");if(!s)return null;let r=vM(s.coarsest?.high??new Float32Array(0))||$o(this.run)||1,o=Math.hypot(n.x-t.x,n.y-t.y),a=Math.atan2(n.y-t.y,n.x-t.x)*180/Math.PI,l=Math.min(o*.4,110);if(l<10)return null;let c=l<30?6:12,h=Pn("g",{"aria-hidden":"true",transform:`translate(${t.x} ${t.y}) rotate(${a}) translate(${o*.5-l-4} 12)`}),u=Pn("rect",{class:"queue-room",width:l,height:c,rx:3}),d=Pn("g",{transform:`translate(${l} 0) scale(-1 1)`}),f=Pn("rect",{class:"queue-fill",width:l,height:c,rx:3}),m=Math.abs(a)>90,x=Pn("text",{class:"queue-word",x:m?-l:0,y:m?-16:30,transform:m?"rotate(180)":""});return d.append(f),h.append(u,d,x),this.queues.push({link:e,bar:f,word:x,full:r}),h}node(e){let t=this.run.file.nodes[e],{x:n,y:s}=this.points[e],r=Pn("g",{class:`node ${t.kind}`,tabindex:0,role:"button","aria-label":`${t.kind} ${t.name}`}),o=this.run.file.nodes.length>30,a=this.run.file.nodes.length>10,l=o?6:a?9:14,c=a?20:8,h=t.kind==="router"?Pn("circle",{cx:n,cy:s,r:l}):Pn("rect",{x:n-l,y:s-l*.8,width:l*2,height:l*1.6,rx:4}),u=Pn("text",{x:n,y:s-l-c,"text-anchor":"middle"});u.textContent=o&&this.run.file.nodes.length>80?"":t.name;let d=Pn("title",{});return d.textContent=t.name,r.append(d,h,u),this.picks(r,()=>this.store.set({picked:{kind:"node",id:t.id}})),this.nodes.set(t.id,r),r}picks(e,t){e.addEventListener("click",t),e.addEventListener("keydown",n=>{n.key==="Enter"&&t()})}};function Pn(i,e){let t=document.createElementNS(xM,i);for(let[n,s]of Object.entries(e))s!==""&&t.setAttribute(n,String(s));return t}function vM(i){return i.reduce((e,t)=>Math.max(e,t||0),0)}function bM(i,e){let{nodes:t}=i.file,n=t.every(l=>typeof l.x=="number"&&typeof l.y=="number"),s=t.map((l,c)=>{let h=2*Math.PI*c/t.length-Math.PI;return n?{x:l.x,y:l.y}:{x:(1+Math.cos(h))/2,y:(1+Math.sin(h))/2}}),r=(l,c,h)=>{let[u,d]=[Math.min(...s.map(l)),Math.max(...s.map(l))];return d<=u?()=>c/2:f=>h+(f-u)/(d-u)*(c-2*h)},o=r(l=>l.x,e.width,Math.min(70,e.width/8)),a=r(l=>l.y,e.height,Math.min(60,e.height/5));return s.map(l=>({x:o(l.x),y:a(l.y)}))}var SM=["time","run","flows","picked","projection","tint","hiddenShells","mesh","theme","loaded"],tu=class{constructor(e,t,n){this.root=e;this.store=t;this.runs=n;e.append(this.labels.root,this.ring,this.tip),new Qh(e,t,n),new ResizeObserver(()=>this.resize()).observe(e),t.listen((s,r)=>{(r.has("run")||r.has("projection"))&&this.set(s),SM.some(o=>r.has(o))&&this.draw()})}root;store;runs;frames=0;views={};view=null;frame=null;plain=null;labels=new jh;tip=q("div",{class:"tip",role:"status"});ring=q("div",{class:"ring","aria-hidden":"true"});asked=!1;named="";turnedTo=-1;get ways(){return this.frame?.ways??this.plain?.ways??new Map}get meshed(){return this.frame?.lines.length??0}turn(e,t){this.view?.turn(e,t)}zoom(e){this.view?.zoom(e)}focus(){(this.view?.canvas??this.root).focus()}set(e){let t=this.runs[e.run],n=this.view;if(this.plain?.root.remove(),this.view=this.plain=null,this.root.classList.toggle("flat",!t.positions),this.labels.write([]),!t.positions){n?.canvas.remove(),this.frame=null,this.plain=new eu(t,this.store),this.root.prepend(this.plain.root),this.plain.resize();return}this.frame?.run!==t&&(this.frame=new sl(t));let s=this.views[e.projection];this.view=s??this.made(e.projection,t),this.views[e.projection]=this.view,this.view!==n&&(n?.canvas.remove(),this.root.prepend(this.view.canvas)),this.view.show(this.frame),this.resize(),(this.turnedTo!==e.run||!s)&&this.centre(t),this.turnedTo=e.run,this.named=""}name({picked:e,hiddenShells:t}){let{run:n}=this.frame,s=new Set(e?.kind==="node"&&n.place.has(e.id)?[e.id]:[]);for(let{from:a,to:l}of n.file.flows)s.add(a).add(l);if(n.still)for(let a of n.positions?.satellites??[])t.includes(n.node(a).shell??0)||s.add(a);let r=[...s].map(a=>({place:n.place.get(a),name:n.called(a)})),o=JSON.stringify(r);o!==this.named&&(this.named=o,this.labels.write(r))}where(e){let t=this.frame?.run.place.get(e);if(!this.view||t===void 0)return null;let n={x:0,y:0,hidden:!1};return this.view.project(t,n),n.hidden?null:{x:n.x,y:n.y}}made(e,t){let n=`${e==="globe"?"Globe":"Map"} with ${t.positions?.satellites.length} satellites`,s;try{s=e==="globe"?new Jh(n,()=>this.ask()):new oa(n,()=>this.ask())}catch{this.store.set({projection:"map"}),s=this.views.map??new oa(n,()=>this.ask()),this.views.map=s}let r={x:0,y:0};return s.canvas.addEventListener("pointerdown",o=>{r={x:o.clientX,y:o.clientY}}),s.canvas.addEventListener("click",o=>{Math.hypot(o.clientX-r.x,o.clientY-r.y)>4||this.store.set({picked:this.at(o)})}),s.canvas.addEventListener("pointermove",o=>this.hover(o)),s.canvas.addEventListener("pointerleave",()=>this.tip.classList.remove("shown")),s}at(e){return!this.view||!this.frame?null:pg(this.view,this.frame,this.store.state.flows,e.offsetX,e.offsetY)}hover(e){if(e.buttons!==0)return;let t=this.at(e);if(this.tip.classList.toggle("shown",t!==null),!t||!this.frame)return;let{run:n}=this.frame;if(t.kind==="node"&&wt(this.tip,n.called(t.id)),t.kind==="line"){let r=n.lineOf.get(t.key);wt(this.tip,`${n.called(r.a)} – ${n.called(r.b)}`)}let s=Math.min(e.offsetX+14,this.root.clientWidth-this.tip.offsetWidth-8);this.tip.style.transform=`translate(${s}px, ${Math.max(e.offsetY-34,4)}px)`}centre(e){let t=this.frame;t.update(this.store.state);let n=e.flow.get(this.store.state.flows[0]),s=n?[n.from,n.to]:[],r=[0,1,2].map(c=>s.reduce((h,u)=>h+t.xyz[e.place.get(u)*3+c],0)),o=0;for(let c of t.satellites){let[h,u,d]=t.xyz.subarray(c*3,c*3+3);Number.isNaN(h)||(o=Math.max(o,Math.hypot(h,u,d)-6371))}let{latitude_deg:a,longitude_deg:l}=Math.hypot(...r)>100?Hr(r[0],r[1],r[2]):{latitude_deg:25,longitude_deg:0};this.view?.lookAt(a,l,o)}resize(){let{clientWidth:e,clientHeight:t}=this.root;e<10||t<10||(this.view?.resize(e,t),this.plain?.resize(),this.draw())}ask(){this.asked||(this.asked=!0,requestAnimationFrame(()=>{this.asked=!1,this.draw()}))}draw(){let{state:e}=this.store;if(this.frames++,this.plain){this.plain.draw(e),this.ring.hidden=!0;return}if(!this.view||!this.frame)return;this.frame.update(e),this.view.draw(e),this.name(e),this.labels.draw(this.view);let t={x:0,y:0,hidden:!1},{picked:n}=e;this.ring.hidden=n?.kind!=="node",n?.kind==="node"&&this.frame.run.place.has(n.id)&&(this.view.project(this.frame.run.place.get(n.id),t),this.ring.hidden=t.hidden,this.ring.style.transform=`translate(${t.x.toFixed(1)}px, ${t.y.toFixed(1)}px)`)}};var nu=class{constructor(e,t,n=s=>{requestAnimationFrame(s)}){this.current=e;this.duration=t;this.nextFrame=n}current;duration;nextFrame;listeners=[];changed=new Set;asked=!1;last=null;get state(){return this.current}set(e){let t={...this.current,...e};t.time=Math.min(Math.max(t.time,0),this.duration());for(let n of Object.keys(t))t[n]!==this.current[n]&&this.changed.add(n);this.current=t,this.changed.size>0&&this.ask()}listen(e){this.listeners.push(e)}refresh(){this.changed=new Set(Object.keys(this.current)),this.ask()}ask(){this.asked||(this.asked=!0,this.nextFrame(e=>this.frame(e)))}frame(e){this.asked=!1,this.play(e);let t=this.changed;if(this.changed=new Set,t.size>0)for(let n of this.listeners)n(this.current,t);this.current.playing&&this.ask()}play(e){if(!this.current.playing){this.last=null;return}let t=this.last===null?0:Math.min((e-this.last)/1e3,.25);this.last=e;let n=this.current.time+t*this.current.speed;this.set(n>=this.duration()?{time:n,playing:!1}:{time:n})}};var kf=3,MM=60,mg=1e3,gg="bentpipe-theme";function wM({file:i,runs:e}){let t=fu(location.hash),n=t.run!==void 0&&t.run<e.length?t.run:0,s=e[n]?.file.flows.map(({id:o})=>o)??[],r=t.flows?.filter(o=>s.includes(o))??[];return{time:t.time??(i.live===void 0?0:e[n]?.file.duration_s??0),playing:!1,speed:1,run:n,overlaid:t.run===void 0?[...e.keys()].slice(0,kf):[n],flows:r.length>0?r:s.length<=kf&&e.length===1?s:s.slice(0,1),picked:t.picked??null,projection:t.map?"map":"globe",tint:"utilisation",hiddenShells:[],mesh:t.mesh??null,from:0,to:e[n]?.file.duration_s??1,stops:"all",theme:EM(),shot:t.shot??!1,loaded:0}}function EM(){try{let i=localStorage.getItem(gg);return i==="light"||i==="dark"?i:"auto"}catch{return"auto"}}function Bf(i){try{i()}catch{}}function TM(i){let{file:e,runs:t}=i;document.title=`${e.title} · Bentpipe`;let n=new nu(wM(i),()=>t[n.state.run]?.file.duration_s??0),s=document.documentElement;s.classList.toggle("shot",n.state.shot),n.listen((h,u)=>{u.has("shot")&&s.classList.toggle("shot",h.shot),u.has("theme")&&(s.dataset.theme=h.theme),u.has("theme")&&h.theme!=="auto"&&Bf(()=>localStorage.setItem(gg,h.theme))});let r=new Il(Yn("header"),e,t,n,()=>sd(o)),o=id(r);if(s.dataset.page=t.length>0?"runs":"table",t.length===0&&Ym(Yn("table"),e),t.length>0){let h=new tu(Yn("stage"),n,t);new Pl(Yn("side"),n,t),new Cl(Yn("side"),n,t);let u=new Rl(Yn("curves"),n,t),d=new Ll(Yn("tabs"));n.listen((m,x)=>{let{positions:g,file:p}=t[m.run];x.has("run")&&d.name(g?"Map":"Network",p.flows.length)});let f=new Nl(Yn("time"),n,t);o=Wm({store:n,runs:t,stage:h,bar:f,header:r}),Object.defineProperty(window,"bentpipe",{value:Vm(e,n,t,h,u)}),RM(n,t)}Xm(o),matchMedia("(prefers-color-scheme: dark)").addEventListener("change",()=>n.refresh());let a=!0,l=()=>{i.buffers.arrived=()=>{a&&setTimeout(c,MM),a=!1},i.buffers.failed=zf},c=()=>{a=!0,n.set({loaded:n.state.loaded+1})};l(),CM(n),n.listen(()=>PM(()=>a&&i.buffers.pending===0||!Yn("problem").hidden)),n.refresh(),e.live!==void 0&&AM(i,n,l)}function AM(i,e,t){let n=q("span",{class:"live",role:"status"},"live");Yn("header").querySelector("h1")?.after(n);let s=async()=>{let r;try{r=await hd(i.buffers)}catch{wt(n,"the run does not answer any more");return}if(r.file.live===void 0){Bf(()=>history.replaceState(null,"",pu(e.state))),location.reload();return}i.buffers.arrived=i.buffers.failed=()=>{},i.buffers=r.buffers,t(),Object.assign(i.file,r.file);let{time:o,from:a,to:l,flows:c,run:h}=e.state,[u,d]=[i.runs[h].file,r.runs[h].file];i.runs.splice(0,i.runs.length,...r.runs);let f=new Set(u.flows.map(({id:x})=>x)),m=d.flows.map(({id:x})=>x).filter(x=>!f.has(x));e.set({time:o>=u.duration_s?d.duration_s:o,to:a===0&&l===u.duration_s?d.duration_s:l,flows:[...c,...m.slice(0,Math.max(0,kf-c.length))]}),e.refresh(),setTimeout(s,mg)};setTimeout(s,mg)}function RM(i,e){let t=i.state.run;i.listen((n,s)=>{if(s.has("run")&&n.run!==t){let[o,a]=[e[t].file,e[n.run].file];t=n.run;let l=n.flows.filter(h=>e[t].flow.has(h)),c=n.from===0&&n.to===o.duration_s;i.set({flows:l.length>0?l:a.flows.slice(0,1).map(({id:h})=>h),...c||n.to>a.duration_s?{from:0,to:a.duration_s}:{},picked:n.picked?.kind==="flow"?n.picked:null,hiddenShells:[]})}let r=n.to-n.from;if(s.has("time")&&(n.time>n.to||n.time<n.from)){let o=n.playing?n.time:n.time-r/2,a=Math.max(0,Math.min(o,e[n.run].file.duration_s-r));i.set({from:a,to:a+r})}})}function CM(i){let e="",t=0;i.listen(()=>{clearTimeout(t),t=window.setTimeout(()=>{let n=pu(i.state);n===e||i.state.playing||(e=n,Bf(()=>history.replaceState(null,"",n)))},250)}),addEventListener("hashchange",()=>{let{time:n,run:s,flows:r,picked:o,map:a,mesh:l,shot:c}=fu(location.hash),h={picked:o??null,projection:a?"map":"globe",mesh:l??null};h.shot=c??!1,n!==void 0&&(h.time=n),s!==void 0&&(h.run=s),r!==void 0&&(h.flows=r),i.set(h)})}function PM(i){requestAnimationFrame(()=>{document.documentElement.dataset.ready=i()?"1":"0"})}function zf(i){let e=i instanceof gt?i.message:`the viewer has an error: ${i?.message??i}`;Yn("problem").replaceChildren(q("h2",{},"The scene cannot be shown"),q("p",{},`What is wrong: ${e}.`),q("p",{class:"quiet"},"Run `bentpipe view` again. If the message stays, the run folder may be damaged.")),Yn("problem").hidden=!1,document.documentElement.dataset.ready="1"}addEventListener("error",({error:i})=>{i&&zf(i)});hd().then(TM).catch(zf);
